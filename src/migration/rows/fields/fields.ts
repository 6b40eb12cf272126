import {
  type Attribute,
  type AttributeName,
  attributeNames,
  attributes,
  hashAlgorithms,
} from '../../../contract/attributes.ts';
import type { HashedPassword, HashedUser } from '../../../contract/wire.ts';
import { type CellCheck, type CellRole, cellChecks } from './validate-cell.ts';

/** A user being built from a row; what is empty in the row stays empty. */
export interface Draft {
  user: HashedUser;
  password: { [Part in keyof HashedPassword]-?: string };
}

/** The meaning of a column or a constant. */
export interface Field {
  /** Name of the field, the same for all spellings. */
  target: string;
  check: CellCheck | undefined;
  /** Most characters that a tenant accepts, unless its definition says otherwise. */
  maxLength?: number | undefined;
  /** Which damage is looked for in its values. */
  role: CellRole;
  /** True if it may hold numbers that are not quantities, such as customer numbers with leading zeros. */
  isNumbered?: boolean;
  /** True if it says nothing about a person: with nothing else, a row makes no user. */
  isPersonless?: boolean;
  set: (draft: Draft, value: string) => void;
}

/** Column names for the parts of `hash-pwd` (§2.3); the first is the recommended one. */
export const passwordColumns = {
  algorithm: ['algorithm', 'hash-pwd.algorithm'],
  value: ['hash', 'value', 'hash-pwd.value'],
  key: ['key', 'hash-pwd.key'],
} as const satisfies { [Part in keyof HashedPassword]-?: readonly [string, ...string[]] };

const partRoles = { algorithm: 'word', value: 'hash', key: 'key' } as const satisfies {
  [Part in keyof HashedPassword]-?: CellRole;
};

export type PasswordPart = keyof typeof passwordColumns;
const passwordParts = Object.keys(passwordColumns) as PasswordPart[];

/** Roles of attributes that the API treats as plain text. */
const roles: { [Name in AttributeName]?: 'identifier' | 'name' } = {
  external_id: 'identifier',
  zip_code: 'identifier',
  name: 'name',
  first_name: 'name',
  middle_name: 'name',
  last_name: 'name',
  attr_nick_name: 'name',
};

/** Roles of all other attributes, by their kind. */
const roleOfKind = {
  text: 'text',
  lines: 'text',
  userName: 'identifier',
  email: 'identifier',
  mobile: 'identifier',
  gender: 'word',
  date: 'word',
  image: 'word',
} as const satisfies Record<Attribute['kind'], CellRole>;

const numbered: readonly AttributeName[] = ['user_name', 'mobile', 'external_id', 'zip_code'];

const extensionPrefix = 'extension.';
const fields = new Map<string, Field>(fieldEntries());

/** Returns the field with this exact name; `undefined` if there is none. */
export function fieldNamed(name: string): Field | undefined {
  return fields.get(name) ?? extensionField(name);
}

/** Names of all fields except extension attributes. */
export function fieldNames(): string[] {
  return [...fields.keys()];
}

/** Names of all fields, for messages. */
export function knownNames(): string {
  return [...fields.keys(), `${extensionPrefix}<key>`].join(', ');
}

/** Describes what every column of a file of users holds, once, by its recommended name; extension attributes come before the password. */
export function describeColumns(extensionKeys: readonly string[]): { name: string; holds: string }[] {
  const { algorithm, value, key } = passwordColumns;
  return [
    ...attributeNames.map((name) => ({ name, holds: attributes[name].label })),
    ...extensionKeys.map((name) => ({ name: `${extensionPrefix}${name}`, holds: 'extension attribute' })),
    { name: 'pwd_must_modify', holds: 'false lets the user keep the password; empty counts as true' },
    { name: algorithm[0], holds: hashAlgorithms.join(', ') },
    { name: value[0], holds: 'the hash, without a prefix of its system' },
    { name: key[0], holds: 'HMAC key in base64' },
  ];
}

function fieldEntries(): [string, Field][] {
  const values = attributeNames.map((name): [string, Field] => {
    const set = (draft: Draft, value: string) => {
      draft.user[name] = value;
    };
    const { kind, maxLength }: Attribute = attributes[name];
    const role = roles[name] ?? roleOfKind[kind];
    return [
      name,
      {
        target: name,
        check: cellChecks[roles[name] ?? kind],
        maxLength,
        role,
        isNumbered: numbered.includes(name),
        set,
      },
    ];
  });
  const password = passwordParts.flatMap((part) => {
    const set = (draft: Draft, value: string) => {
      draft.password[part] = value;
    };
    const field: Field = {
      target: part,
      check: cellChecks[part],
      role: partRoles[part],
      isPersonless: part !== 'value',
      set,
    };
    return passwordColumns[part].map((name): [string, Field] => [name, field]);
  });
  const mustModify: Field = {
    target: 'pwd_must_modify',
    check: cellChecks.flag,
    role: 'word',
    isPersonless: true,
    set: (draft, value) => {
      draft.user.pwd_must_modify = value === 'true';
    },
  };
  return [...values, ['pwd_must_modify', mustModify], ...password];
}

function extensionField(name: string): Field | undefined {
  const key = name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : '';
  if (key === '' || key === '__proto__') return undefined;
  const set = ({ user }: Draft, value: string) => {
    user.extension ??= {};
    user.extension[key] = value;
  };
  return { target: name, check: cellChecks.text, role: 'text', isNumbered: true, set };
}
