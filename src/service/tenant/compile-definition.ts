import { type AttributeName, attributeNames } from '../../contract/attributes.ts';
import type { AttributeRule, ExtensionRule, TenantDefinition } from './definition.ts';
import type { AttributeDocument, ExtensionDocument, TenantDocument } from './document.ts';
import { compilePattern } from './pattern.ts';

/** Makes the rules of a tenant from a document without faults; an attribute without a limit has `Infinity`. */
export function compileDefinition(document: TenantDocument): TenantDefinition {
  const rules = attributeNames.map((name) => [name, attributeRule(document.attributes[name])] as const);
  return {
    tenantId: document.tenant_id,
    timeZone: document.time_zone,
    attributes: Object.fromEntries(rules) as Record<AttributeName, AttributeRule>,
    extension: new Map(Object.entries(document.extension).map(([key, rule]) => [key, extensionRule(rule)])),
    mobile: {
      defaultAreaCode: document.mobile.default_area_code,
      areaCodes: new Map(
        Object.entries(document.mobile.area_codes).map(([code, source]) => [code, compilePattern(source)]),
      ),
    },
    password: camelKeys(document.password),
    token: camelKeys(document.token),
    sso: camelKeys(document.sso),
    login: camelKeys(document.login),
  };
}

/** The document of a tenant's rules, complete: read again it gives the same rules. */
export function describeDefinition(definition: TenantDefinition): TenantDocument {
  const attributes = attributeNames.map(
    (name) => [name, attributeDocument(definition.attributes[name])] as const,
  );
  const areaCodes = [...definition.mobile.areaCodes].map(([code, { source }]) => [code, source] as const);
  const extension = [...definition.extension].map(([key, rule]) => [key, extensionDocument(rule)] as const);
  return {
    tenant_id: definition.tenantId,
    time_zone: definition.timeZone,
    attributes: Object.fromEntries(attributes) as Record<AttributeName, AttributeDocument>,
    extension: Object.fromEntries(extension),
    mobile: {
      default_area_code: definition.mobile.defaultAreaCode,
      area_codes: Object.fromEntries(areaCodes),
    },
    password: snakeKeys(definition.password),
    token: snakeKeys(definition.token),
    sso: { ...snakeKeys(definition.sso), fields: [...definition.sso.fields] },
    login: snakeKeys(definition.login),
  };
}

function attributeRule({ pattern, ...document }: AttributeDocument): AttributeRule {
  const { max_length = Number.POSITIVE_INFINITY } = document;
  return { ...camelKeys({ ...document, max_length }), ...compiled(pattern) };
}

function attributeDocument({ pattern, maxLength, ...rule }: AttributeRule): AttributeDocument {
  const limit = Number.isFinite(maxLength) ? { max_length: maxLength } : {};
  return { ...snakeKeys(rule), ...limit, ...(pattern ? { pattern: pattern.source } : {}) };
}

function extensionRule({ pattern, ...document }: ExtensionDocument): ExtensionRule {
  return { ...camelKeys(document), ...compiled(pattern) };
}

function extensionDocument({ pattern, ...rule }: ExtensionRule): ExtensionDocument {
  return { ...snakeKeys(rule), ...(pattern ? { pattern: pattern.source } : {}) };
}

function compiled(source: string | undefined) {
  return source === undefined ? {} : { pattern: compilePattern(source) };
}

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** An object with its own keys in camelCase; the values stay. */
function camelKeys<T extends object>(object: T) {
  const entries = Object.entries(object).map(([key, value]) => [
    key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(entries) as { [Key in keyof T as Camel<Key & string>]: T[Key] };
}

/** An object with its own keys in snake_case; the values stay. */
function snakeKeys<T extends object>(object: T) {
  const entries = Object.entries(object).map(([key, value]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries) as { [Key in keyof T as Snake<Key & string>]: T[Key] };
}
