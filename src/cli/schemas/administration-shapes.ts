import * as v from 'valibot';
import {
  endedSessions,
  issuedApplication,
  shownApplication,
  shownKey,
} from '../../contract/administration.ts';
import { count } from '../../contract/value-schemas.ts';
import { learnedDefinition } from '../../migration/learn/learned-definition.ts';
import { list, type Shapes } from './shapes.ts';

/** What the commands print about definitions that were learned, and that administer the local service. */
export const administrationShapes = {
  'tenant learn': { title: 'A draft of a tenant definition', document: learnedDefinition },
  'apps list': list('Applications', 'applications', shownApplication),
  'apps create': { title: 'The application that was made', document: issuedApplication },
  'apps rotate-secret': { title: 'The application with its new secret', document: issuedApplication },
  'apps revoke': { title: 'The application that was deleted', document: shownApplication },
  'sessions end': { title: 'What was ended', document: endedSessions },
  'keys list': list('Published signing keys', 'keys', shownKey),
  'keys rotate': list('Published signing keys after the rotation', 'keys', shownKey),
  'keys reset': { title: 'How many signing keys were deleted', document: v.strictObject({ deleted: count }) },
} as const satisfies Record<string, Shapes>;
