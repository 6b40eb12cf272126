import { ownFiles, plain, precedence, variables } from '../config/variables.ts';
import { type ExitName, exitCodes } from '../errors/exit-codes.ts';
import { exitExplanations } from '../errors/explain/exit-explanations.ts';
import { globalOptions } from '../input/global-options.ts';
import { formatMeanings } from '../output/formats/format.ts';
import type { TopicName } from './topic-names.ts';

/** A part of a topic: a paragraph, or a list of names with their meanings. */
export type TopicPart = string | readonly (readonly [name: string, meaning: string])[];

/** The content of the topics, from the tables that also make the reference and the manual page. */
export const topics: Record<TopicName, readonly TopicPart[]> = {
  environment: [
    'Variables of the environment.',
    variables.map(({ names, meaning }) => [names.join(', '), plain(meaning)] as const),
    plain(precedence),
  ],
  'exit-codes': [
    'A code never changes its meaning. It is never 0 when a row failed, or a listing may be incomplete.',
    (Object.keys(exitCodes) as ExitName[]).map((name) => {
      const { message, remedy } = exitExplanations[name];
      return [String(exitCodes[name]), `${message}. ${remedy}`] as const;
    }),
    'More about one: tenant-users explain 7',
  ],
  formatting: [
    'stdout has the result and nothing else; counts, progress and notices go to stderr. A table is for people: on a terminal it is fitted to the width, in a pipe nothing is cut.',
    Object.entries(formatMeanings).map(([name, meaning]) => [`-o ${name}`, meaning] as const),
    globalOptions
      .filter(({ helpGroupHeading }) => helpGroupHeading === 'Output:')
      .map(({ flags, description }) => [flags, description] as const),
    'What each command prints as JSON: tenant-users schema COMMAND',
  ],
  config: [
    'A profile is the address and the credentials of one tenant, under a name: tenant-users login makes one, tenant-users profiles lists them and selects the current one.',
    plain(precedence),
    ownFiles.map(({ what, where }) => [plain(what), plain(where)] as const),
    'Only its owner can read or write the configuration; several commands may use it at the same time. tenant-users doctor looks at it, and doctor --fix corrects its permissions.',
  ],
};
