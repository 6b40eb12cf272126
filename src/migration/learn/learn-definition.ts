import type { Client } from '../../client/client.ts';
import { listAllUsers } from '../../client/list-all-users.ts';
import { type Attribute, type AttributeName, attributeNames, attributes } from '../../contract/attributes.ts';
import { defaultAreaCode } from '../../contract/normal-forms.ts';
import { pageLimits } from '../../contract/operations.ts';
import { formatCount } from '../../text/format-count.ts';
import type { OnStep } from '../model/progress-step.ts';
import type { LearnedDefinition, LearnedRule } from './learned-definition.ts';
import {
  type AreaSurvey,
  type AttributeSurvey,
  both,
  type ExtensionSurvey,
  surveyUsers,
  type UserSurvey,
} from './survey-users.ts';

/**
 * Reads every user of a tenant once, and drafts rules that all of them meet; `listing`: whether these were all. Only lists users:
 * nothing is tried on the tenant. Rejects with the error of the page that failed.
 */
export async function learnDefinition(
  client: Pick<Client, 'listUsers'>,
  { withValues, onStep }: { withValues: boolean; onStep?: OnStep },
) {
  const surveyor = await surveyUsers();
  try {
    const listing = listAllUsers(client, { limit: pageLimits.max });
    for await (const users of listing.pages) {
      surveyor.add(users);
      const { users: done, total } = listing.completeness();
      onStep?.({ what: 'users', done, total });
    }
    const end = listing.completeness();
    const definition = proposeDefinition(surveyor.survey(), { isComplete: end.complete, withValues });
    return { definition, listing: end };
  } finally {
    surveyor.close();
  }
}

/**
 * Number of users who must agree before a rule is drafted that a later user could break. If 30 of 30 agree, less than a tenth of
 * all users differ, with 95 % confidence (the rule of three).
 */
export const enough = 30;

/** What is known about the listing, and what the draft may hold. */
interface Choices {
  /** False if users may be missing. */
  isComplete: boolean;
  /** True to include the values of an attribute that has only a few, each shared by many users. */
  withValues: boolean;
}

/** Attributes that are never required: the definition file does not allow it, or the service generates a missing value. */
const neverRequired: readonly AttributeName[] = ['user_name', 'head_img'];

/** Longest values that a definition allows: of any text, of a unique key, and by default of an extension attribute. */
const most = { text: 65_536, key: 500, extension: 255 };

const keys: readonly AttributeName[] = ['user_name', 'email', 'external_id'];

/**
 * Drafts rules that every user of the listing meets. They are strict about what a listing shows well (who has a value, the form of
 * codes, area codes, uniqueness), once `enough` users agree, and loose about lengths, since the longest value says little. The
 * draft holds no personal value.
 */
function proposeDefinition(survey: UserSurvey, choices: Choices): LearnedDefinition {
  const { users, extension } = survey;
  const named = attributeNames.filter((name) => survey.attributes[name].filled > 0);
  const keysOfFile = [...extension].filter(([key]) => isKey(key));
  const odd = extension.size - keysOfFile.length + survey.furtherKeys;
  return {
    $comment: aboutAll(survey, choices, odd),
    tenant_id: 'learned',
    attributes: Object.fromEntries(named.map((name) => [name, ruleOf(name, survey.attributes[name], users)])),
    extension: Object.fromEntries(
      keysOfFile.map(([key, look]) => [key, extensionRule(key, look, users, choices.withValues)]),
    ),
    ...mobileRules(survey),
    password: { $comment: 'Check: no listing shows rules for passwords; these are the defaults.' },
  };
}

/** Begins a comment that a person must confirm. */
const check = 'Check: ';

function aboutAll({ users }: UserSurvey, { isComplete }: Choices, odd: number): string {
  const parts = [
    `Learned from a listing of ${formatCount(users, 'user')}${isComplete ? '' : ', which may not be all'}.`,
    `${check}what no user has is not here, such as an extension attribute that is new; the time zone is UTC.`,
    users < enough && `With fewer than ${enough} users hardly a rule is certain.`,
    odd > 0 && `${formatCount(odd, 'extension attribute')} left out: a definition cannot have these keys.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function ruleOf(name: AttributeName, look: AttributeSurvey, users: number): LearnedRule {
  const { maxLength, empty }: Attribute = attributes[name];
  const isRequired = isAlways(look, users) && empty !== undefined && !neverRequired.includes(name);
  const limit = keys.includes(name) ? most.key : most.text;
  const isLong = maxLength !== undefined && look.longest > maxLength && look.longest <= limit;
  return {
    $comment: comment([
      seen(look, users),
      isRequired && `${check}required, since all have it`,
      name === 'user_name' &&
        'the service makes one up for who has none, so nobody knows whether it is required',
      isLong && `${check}max_length is that of the longest value`,
    ]),
    ...(isRequired ? { required: true } : {}),
    ...(isLong ? { max_length: look.longest } : {}),
  };
}

function extensionRule(key: string, look: ExtensionSurvey, users: number, withValues: boolean): LearnedRule {
  const isRequired = isAlways(look, users);
  const isSure = look.filled >= enough;
  const words = withValues && isSure ? look.words : undefined;
  const pattern = !isSure ? undefined : words ? oneOf(words) : look.pattern;
  // Numbers are codes if no two users share one, or if all have the same length and are too long for an age or a count.
  const isCode =
    look.type === 'number' && (look.isDistinct || /^\^\\d\{(?:[4-9]|\d\d)\}\$$/.test(look.pattern ?? ''));
  const type = isSure && !isCode ? look.type : 'text';
  const isUnique = isSure && type === 'text' && look.isDistinct && look.longest <= most.key;
  const isLong = look.longest > most.extension && look.longest <= most.text;
  const hasPattern = type === 'text' && pattern !== undefined && pattern.length <= 1000;
  return {
    $comment: comment([
      seen(look, users),
      !isSure && `too few for a rule`,
      isRequired && `${check}required, since all have it`,
      type !== 'text' && `${check}every value is a ${type}`,
      isUnique && `${check}unique, since no two users share a value`,
      hasPattern && `${check}${words ? 'these are all values' : 'every value has this form'}`,
      isLong && `${check}max_length is that of the longest value`,
    ]),
    display_name: key,
    ...(type === 'text' ? {} : { type }),
    ...(isRequired ? { required: true } : {}),
    ...(isUnique ? { unique: true } : {}),
    ...(isLong ? { max_length: look.longest } : {}),
    ...(hasPattern ? { pattern } : {}),
  };
}

function mobileRules({ areas, oddNumbers }: UserSurvey): Pick<LearnedDefinition, 'mobile'> {
  if (areas.size === 0) return {};
  const byNumbers = [...areas].sort(([, one], [, other]) => other.numbers - one.numbers);
  const [usual = defaultAreaCode] = byNumbers.map(([area]) => area).filter((area) => area !== '');
  const bare = areas.get('');
  const isBare = bare !== undefined;
  // Numbers without an area code belong to the default one, which a rehearsal adds.
  const home = isBare ? defaultAreaCode : usual;
  const merged = new Map([...areas].filter(([area]) => area !== ''));
  if (bare) merged.set(home, both(merged.get(home), bare));
  const counts = [...merged].map(([area, { numbers }]) => `${area}: ${formatCount(numbers, 'number')}`);
  return {
    mobile: {
      $comment: comment([
        counts.join(', '),
        `${check}area codes that no user has are not permitted here`,
        isBare
          ? `${check}default_area_code, since ${formatCount(bare.numbers)} have no area code`
          : `${check}default_area_code, which is that of most numbers`,
        oddNumbers > 0 && `${formatCount(oddNumbers)} of another form are refused`,
      ]),
      default_area_code: home,
      area_codes: Object.fromEntries([...merged].map(([area, look]) => [area, numberPattern(look)])),
    },
  };
}

function numberPattern({ numbers, shortest, longest, firstDigits }: AreaSurvey): string {
  const range = (less: number) => {
    const [from, to] = [shortest - less, longest - less];
    return from === to ? `{${from}}` : `{${from},${to}}`;
  };
  const first = firstDigits.length === 1 ? firstDigits : `[${firstDigits}]`;
  return numbers >= enough ? `^${first}\\d${range(1)}$` : `^\\d${range(0)}$`;
}

function isAlways({ filled }: AttributeSurvey, users: number): boolean {
  return users >= enough && filled === users;
}

function seen({ filled, longest }: AttributeSurvey, users: number): string {
  const length = formatCount(longest, 'character');
  return `${formatCount(filled)} of ${formatCount(users, 'user')}, at most ${length}`;
}

function comment(parts: readonly (string | false)[]): string {
  return parts.filter(Boolean).join('; ');
}

function oneOf(values: readonly string[]): string {
  return `^(?:${values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})$`;
}

/** True for a key that a definition file can have. */
function isKey(key: string): boolean {
  return /^[^\s\p{Cc}]{1,64}$/u.test(key) && !(key in Object.prototype) && key !== 'prototype';
}
