import * as v from 'valibot';
import {
  endedSessions,
  issuedApplication,
  shownApplication,
  shownKey,
} from '../../contract/administration.ts';
import { hashAlgorithms } from '../../contract/attributes.ts';
import { auditLine } from '../../contract/audit-line.ts';
import { count, described, optional, text, textOrNull } from '../../contract/value-schemas.ts';
import { wireSchemas } from '../../contract/wire.ts';
import { assessment } from '../../migration/assess/assessment.ts';
import type { Diagnosis } from '../../migration/hashes/diagnose.ts';
import { identity } from '../../migration/hashes/identity.ts';
import { learnedDefinition } from '../../migration/learn/learned-definition.ts';
import { fileForecast, forecast } from '../../migration/model/forecast.ts';
import { summary } from '../../migration/model/summary.ts';
import { plan } from '../../migration/plan/document/plan-schemas.ts';
import { check, made } from '../doctor/check.ts';
import { explained } from '../errors/explain/explained-document.ts';
import { jobShapes } from './job-shapes.ts';
import { errorShape, list, type Shapes, type Silent } from './shapes.ts';
import { profileShapes, userShapes } from './user-shapes.ts';

/** A schema of exactly the type that is printed. */
type Prints<Printed> = v.GenericSchema<unknown, Printed>;

const identified = v.strictObject({ line: described(count, 'from 1'), ...identity.entries });

const mistake = v.strictObject({
  code: described(text, 'see tenant-users explain; two are joined by a plus'),
  message: text,
  remedy: text,
}) satisfies Prints<Diagnosis>;

const served = v.strictObject({
  base_url: text,
  metrics_url: optional(text, 'only with --metrics-port'),
  tenants: v.array(
    v.strictObject({
      tenant_id: text,
      client_id: text,
      client_secret: optional(text, 'only when it was created by this start'),
      unused: optional(
        v.literal(true),
        'the tenant has no users and no tokens, and none was signed: the secret may be lost',
      ),
    }),
  ),
});

const codes = list('Codes', 'codes', explained);
const schemas = list('Schemas', 'schemas', v.strictObject({ command: text, title: text, id: text }));

const schema = v.union([
  v.looseObject({ $schema: text, $id: text, title: text, $comment: text }),
  v.looseObject({ name: text, version: text, commands: v.array(v.looseObject({ path: text })) }),
]);

/** What each command prints, by its path; `list` stands for `users list`, and so on. */
export const commandShapes = {
  ...userShapes,
  'tenant show': {
    title: 'A tenant definition, complete with its defaults',
    document: async () => (await import('../../service/tenant/definition.ts')).tenantDefinition,
  },
  'tenant check': {
    title: 'A tenant definition that can be applied',
    document: v.strictObject({ tenant_id: text, valid: v.literal(true) }),
  },
  'tenant apply': {
    title: 'A tenant definition that was stored',
    document: v.strictObject({ tenant_id: text, database: text }),
  },
  'tenant copy': {
    title: 'What was copied into another database',
    document: v.strictObject({ tenants: v.array(text), rows: count, database: text }),
  },
  'tenant learn': { title: 'A draft of a tenant definition', document: learnedDefinition },
  'apps list': list('Applications', 'applications', shownApplication),
  'apps create': { title: 'The application that was made', document: issuedApplication },
  'apps rotate-secret': { title: 'The application with its new secret', document: issuedApplication },
  'apps revoke': { title: 'The application that was deleted', document: shownApplication },
  'sessions end': { title: 'What was ended', document: endedSessions },
  'keys list': list('Published signing keys', 'keys', shownKey),
  'keys rotate': list('Published signing keys after the rotation', 'keys', shownKey),
  'keys reset': { title: 'How many signing keys were deleted', document: v.strictObject({ deleted: count }) },
  ...profileShapes,
  'recipe list': list('Built-in recipes', 'recipes', v.strictObject({ name: text, title: text })),
  'recipe show': {
    title: 'A built-in recipe',
    document: async () =>
      v.strictObject({
        name: text,
        recipe: (await import('../../migration/recipes/recipe.ts')).recipeSchema,
        text: described(text, 'the file'),
      }),
  },
  'recipe make': {
    title: 'A first recipe for a file of users',
    document: async () =>
      v.strictObject({
        ...(await import('../../migration/make-recipe.ts')).madeRecipe.entries,
        to: described(textOrNull, 'the file that it was written to'),
      }),
  },
  'recipe check': {
    title: 'A recipe whose examples come out as written',
    document: v.strictObject({
      recipe: described(text, 'the file'),
      valid: v.literal(true),
      examples: described(count, 'examples that were tried'),
      open: described(v.array(text), 'what is left to decide before an import or a plan with the recipe'),
      rows: optional(count, 'rows of the file of users'),
      columns: optional(v.array(text), 'fields, and the columns that they are made from'),
      ignored_columns: optional(v.array(text), 'columns that the recipe does not use'),
      missing_columns: optional(
        v.array(text),
        'columns of conditions that the file lacks: nobody is skipped or disabled by them',
      ),
    }),
  },
  assess: { title: 'What would become of the people of a file', document: assessment },
  template: list(
    'Columns of a file of users',
    'columns',
    v.strictObject({ name: text, holds: described(text, 'what belongs in the column') }),
  ),
  forecast: { title: 'How long an import of a file takes', document: fileForecast },
  'hash identify': list('What hashes can be by their form', 'hashes', identified),
  'hash verify': {
    title: 'Whether a password belongs to a hash',
    document: v.strictObject({
      matches: v.boolean(),
      algorithm: v.picklist(hashAlgorithms),
      mistake: described(v.nullable(mistake), 'of the export; null: it matches, or none fits'),
    }),
  },
  'import-hashes': {
    title: 'What the import did',
    document: v.strictObject({
      ...summary.entries,
      forecast: optional(forecast, 'of a dry run: of the import, where the pace of the tenant is known'),
    }),
  },
  ...jobShapes,
  apply: { title: 'What was applied', document: summary },
  undo: { title: 'What was undone; with --dry-run the plan', document: v.union([summary, plan]) },
  'import-hashes merge': { title: 'What the shards of an import did together', document: summary },
  'sso verify': {
    title: 'The user that the ticket stands for; a tenant may show other fields',
    document: v.looseObject(wireSchemas.SsoUser.entries),
  },
  'sso check': {
    title: 'The user who logged in, as the ticket shows them',
    document: v.looseObject(wireSchemas.SsoUser.entries),
  },
  'sso ticket': { title: 'A fresh ticket', document: wireSchemas.SsoTicket },
  serve: { title: 'The first line, when connections are accepted', document: served },
  audit: list('Lines of the audit log', 'events', auditLine, {
    unreadable_lines: described(count, 'skipped, since they are no lines of an audit log'),
  }),
  mcp: { silent: 'it speaks the Model Context Protocol' },
  completion: { silent: 'it prints a script' },
  help: { silent: 'it prints help' },
  complete: { silent: 'it answers the script of a shell' },
  doctor: list('The checks', 'checks', check, {
    ok: described(v.boolean(), 'nothing failed'),
    fixes: optional(v.array(made), 'with --fix: what was done, before the checks'),
  }),
  explain: {
    title: 'A code, several, or all codes',
    document: v.union([explained, codes.document]),
    line: explained,
  },
  schema: {
    title: 'A JSON Schema, the list of them, or the tree of all commands',
    document: v.union([schema, schemas.document]),
    line: v.union([schema, schemas.line]),
  },
} as const satisfies Record<string, Shapes | Silent>;

/** Schemas besides those of commands: the error of a failed command, and a recipe file. */
export const otherShapes = {
  error: {
    title: 'The line on stderr of a command that failed',
    document: v.strictObject({ error: errorShape }),
  },
  recipe: {
    title: 'A recipe, as import-hashes --recipe reads it',
    document: async () => (await import('../../migration/recipes/recipe.ts')).recipeSchema,
  },
} as const satisfies Record<string, Shapes>;
