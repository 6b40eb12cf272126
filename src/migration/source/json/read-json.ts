import { SourceError } from '../../model/errors.ts';
import type { Utf8Chunks } from '../../model/source-record.ts';
import { type CutValue, createCutter } from './cut-values.ts';
import { createPeopleLook } from './find-people.ts';
import { flatten, isObject, type JsonValue, parseRecord } from './flatten.ts';
import { listsOfSystems, phpMyAdmin, usualLists } from './usual-lists.ts';

/** Finds the path of the records from the beginning of a file: from its first object only, however long that is. */
export async function findPath(file: string, chunks: Utf8Chunks): Promise<string[]> {
  let found: string | undefined;
  let other: string | undefined;
  let hasColumns = false;
  let hasRows = false;
  let isOver = false;
  const cut = createCutter(file, ['\0'], {
    onMember({ names: [name = '', ...deeper], isList }) {
      if (!isList || isOver || deeper.length > 0) return;
      if (usualLists.includes(name) || name === other) found ??= name;
      hasColumns ||= name === 'columns';
      hasRows ||= name === 'rows';
    },
    onOtherList([name]) {
      if (name === 'rows') hasRows = false;
    },
    onValue([name = '', ...deeper], text) {
      if (isOver || deeper.length > 0) return;
      const system = listsOfSystems.find(
        ({ member, value }) => member.test(name) && value?.test(text) !== false,
      );
      // Those of phpMyAdmin come after the first object.
      if (system?.value) found ??= system.list;
      else other ??= system?.list;
    },
    onEnd() {
      isOver = true;
    },
  });
  for await (const chunk of chunks) {
    cut(chunk);
    // In a file with one object per line, the first object ends soon.
    if (found !== undefined || isOver) break;
  }
  if (found === undefined && hasColumns && hasRows)
    throw new SourceError(
      file,
      `its rows are lists of values, with the names of the columns beside them: make objects of them, for example: jq -c '(.columns | map(.name? // .)) as $c | .rows[] | [$c, .] | transpose | map({(.[0]): .[1]}) | add'`,
    );
  return found === undefined ? [] : [found];
}

/** How the records of a JSON file are read. */
interface JsonReading {
  /** The member names that lead to the records. */
  path: readonly string[];
  /** Paths of strings that contain JSON themselves. */
  inner: readonly string[];
  fieldOf: (name: string) => string | undefined;
}

/** Reads the records of a JSON file, in one pass. */
export function jsonReading(file: string, { path, inner, fieldOf }: JsonReading) {
  const list = createWholeList(file, path);
  const people = createPeopleLook(fieldOf);
  const others = new Set<string>();
  const models = new Set<string>();
  // The filter of jq for the records of a list or of lines.
  const records = ['flatten[]', ...path.map((name) => `.${name}[]`)].join('');
  const cut = createCutter(file, path, {
    onMember: ({ isList, isRecords, value }) => isList && isRecords && list.addList(value),
    onValue: list.addValue,
    onOtherList: ([name = '']) => others.add(name),
  });
  const end = (rows: number) => {
    list.end(rows);
    const where = path.length === 0 ? 'the file' : `the list ${JSON.stringify(path.join('.'))}`;
    if (rows === 0) throw new SourceError(file, `there are no records in ${where}`);
    const model = models.size > 1 ? mostLikeUsers([...models]) : undefined;
    if (model !== undefined)
      throw new SourceError(
        file,
        `it has records of several models of Django (${shownNames([...models])}), and each would become a user: extract those of the users, for example: jq -c -s '${records} | select(.model == "${model}")'`,
      );
  };
  const addRecord = (value: JsonValue) => {
    people.add(value);
    if (isObject(value) && 'pk' in value && isObject(value.fields) && typeof value.model === 'string')
      models.add(value.model);
  };
  const peopleWithin = () => {
    const found = people.find();
    if (found === undefined) return undefined;
    const { filter, areSeveral } = found;
    return { areSeveral, extract: `jq -c -s '${records}${filter}'`, records: path.join('.') };
  };
  const valuesOf = flattener(file, inner, addRecord);
  return { cut, valuesOf, end, otherLists: () => [...others], peopleWithin };
}

/** True for the name of a table or a model that can be shown. */
const isShown = (name: string) => /^[\w.$-]{1,64}$/.test(name);

const mostShown = 5;

/** The names of kinds of records; of many, the first ones. */
function shownNames(names: readonly string[]): string {
  const shown = names.filter(isShown).slice(0, mostShown);
  return [...shown, ...(shown.length < names.length ? ['…'] : [])].join(', ');
}

/** Of several kinds of records, the one of the users, if its name says so and can be shown. Before a dot is the name of a whole app. */
function mostLikeUsers(names: readonly string[]): string | undefined {
  const shown = names.filter(isShown);
  return (
    shown.find((name) => /users?$/i.test(name)) ??
    shown.find((name) => /(?:user|member|account)[^.]*$/i.test(name))
  );
}

type AddValue = (path: string, text: string) => void;

/** Parses and flattens records. Does not pass on the message of `JSON.parse`: it quotes the text, which may hold a hash. */
function flattener(file: string, inner: readonly string[], onRecord: (value: JsonValue) => void) {
  const nested = new Set(inner);
  return ({ bytes, line }: CutValue, add: AddValue): void => {
    let value: ReturnType<typeof parseRecord>;
    try {
      value = parseRecord(bytes.toString());
    } catch (failure) {
      if (!(failure instanceof SyntaxError)) throw failure;
      throw new SourceError(
        file,
        'the record is not readable as JSON; look for a comma, quote or bracket that is missing or extra',
        line,
      );
    }
    onRecord(value);
    flatten(value, add, nested);
  };
}

/** Members beside a list of users that point to the next page. */
const nextNames =
  /^(?:next(?:_?page)?(?:_?(?:token|link|cursor|results))?|pagination_?token|paged_?results_?cookie|@odata\.nextlink)$/i;
/** Members that say with `true` that there is a next page. */
const moreNames = /^(?:has_?)?(?:more(?:_?(?:records|results|items|pages))?|next_?page)$/i;
/** Members that say something about one answer of an API. Any other that differs may say whose users these are. */
const answerNames =
  /^(?:(?:next|prev|total|remaining|@odata\.)\S*|(?:has|is)_?(?:more|next|first|last)\S*|\S*(?:page|cursors?|cookie|token|meta|metadata|(?<!ac)count|(?:_|ed)at)|(?:pag(?:e|ing|ination)|items_?per)\S*|_?links|result_?info|start(?:_?index)?|limit|length|offset|skip|size|number(?:_?of_?elements)?|first|last|after|before|marker|self|more|empty|date|etag|took|time(?:stamp)?|(?:request|trace)_?id)$/i;
/** Objects that say something about one answer, and also hold members with other names. */
const answerObjects = /^(?:info|details)$/i;
/** Members that say whose users these are. In an object, only these are compared: any other may be about one answer. */
const ownerNames =
  /realm|tenant|org|domain|account|customer|client|compan|workspace|^(?:display_?)?name$|(?:^|[_-])id$|[a-z]Id$/i;
const nothing = new Set(['', 'null', 'false', '0']);
/** Members that give the number of users of all pages, in Auth0, FusionAuth, SCIM (RFC 7644), Spring and Zitadel. */
const totalNames = /^total(?:_?(?:results?|count|users|elements|items|records))?$/i;

function mayBeOwner(names: readonly string[]): boolean {
  if (names.some((name) => answerNames.test(name))) return false;
  return names.length === 1 || names.some((name) => ownerNames.test(name));
}

/**
 * Creates a check that a file has all pages of a list from an API: the response to one request often ends long before the last
 * user. Pages that follow one another in a file are one list.
 */
function createWholeList(file: string, path: readonly string[]) {
  let lists = 0;
  let last = 0;
  let inOneValue = false;
  const members = new Map<string, string>();
  let different: string | undefined;
  /** How often each member names a next page. */
  const nexts = new Map<string, number>();
  let total = 0;
  let name = '';
  const tables: string[] = [];
  return {
    /** Counts a list of records, which is one page. `value`: the number of the value of the file that has it. */
    addList(value: number): void {
      inOneValue ||= value === last;
      last = value;
      lists += 1;
      tables.push(name);
    },
    /** Examines a value beside the records, also in objects such as `page` or `_links`. */
    addValue(names: readonly string[], text: string): void {
      const path = names.join('.');
      if (path === 'name') name = text;
      const before = members.get(path);
      if (before === undefined) members.set(path, text);
      else if (before !== text && mayBeOwner(names)) different ??= path;
      if (!names.slice(0, -1).every((name) => answerNames.test(name) || answerObjects.test(name))) return;
      const isNext = names.some((name) => nextNames.test(name)) && !nothing.has(text);
      if (isNext || (text === 'true' && moreNames.test(names.at(-1) ?? '')))
        nexts.set(path, (nexts.get(path) ?? 0) + 1);
      if (totalNames.test(names.at(-1) ?? '') && /^\d+$/.test(text)) total = Number(text);
    },
    /**
     * Throws a `SourceError` if users are missing, or if lists may belong to different realms or tenants: such as the administrators
     * of Keycloak in the realm master.
     */
    end(rows: number): void {
      if (lists > 1 && phpMyAdmin.test(members.get('comment') ?? ''))
        throw new SourceError(
          file,
          `it has several tables: extract the one of the users, for example: jq -c '.[] | select(.name == "${mostLikeUsers(tables) ?? 'users'}") | .data[]'`,
        );
      if (lists > 1 && different !== undefined) {
        const member = /^[\w.-]{1,40}$/.test(different) ? JSON.stringify(different) : 'a member';
        throw new SourceError(
          file,
          `it has two lists of users, and beside them ${member} differs, as in an export of several realms or tenants: name one in the export (kc.sh export --realm NAME), or extract the users of one, for example: jq -c ${inOneValue ? '' : '-s '}'.[1].${path.join('.')}[]'. If all are of one tenant, leave out the 1`,
        );
      }
      const isCut = lists > 0 && Math.max(0, ...nexts.values()) >= lists;
      if (!isCut && total <= rows) return;
      const [says, hint] = isCut
        ? ['it names a next page', 'the other pages']
        : [`it says that there are ${total} users, and has ${rows}`, 'all pages'];
      throw new SourceError(
        file,
        `this is a part of a list: ${says}; export ${hint} into the file too, one after the other. If the file has all users, extract them: jq -c '.${path.join('.')}[]'`,
      );
    },
  };
}
