import { SourceError } from '../../model/errors.ts';
import type { Utf8Chunks } from '../../model/source-record.ts';
import { type CutValue, createCutter } from './cut-values.ts';
import { flatten, parseRecord } from './flatten.ts';

/** Names of the member that holds the users, in exports that contain other data too. */
const usualPaths = ['users', 'Users', 'Resources'];

/** Finds the path of the records from the beginning of a file: from its first object only, however long that is. */
export async function findPath(file: string, chunks: Utf8Chunks): Promise<string[]> {
  let found: string | undefined;
  let isOver = false;
  const cut = createCutter(file, ['\0'], {
    onMember({ name, isList }) {
      if (isList && !isOver && usualPaths.includes(name)) found ??= name;
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
  return found === undefined ? [] : [found];
}

/**
 * Reads the records of a JSON file, in one pass. `path`: the member names that lead to the records; `inner`: paths of strings that
 * contain JSON themselves.
 */
export function jsonReading(file: string, path: readonly string[], inner: readonly string[]) {
  const list = createWholeList(file, path);
  const cut = createCutter(file, path, {
    onMember: ({ isList, isRecords, value }) => isList && isRecords && list.addList(value),
    onValue: list.addValue,
  });
  const end = (rows: number) => {
    list.end(rows);
    const where = path.length === 0 ? 'the file' : `the list ${JSON.stringify(path.join('.'))}`;
    if (rows === 0) throw new SourceError(file, `there are no records in ${where}`);
  };
  return { cut, valuesOf: flattener(file, inner), end };
}

type AddValue = (path: string, text: string) => void;

/** Parses and flattens records. Does not pass on the message of `JSON.parse`: it quotes the text, which may hold a hash. */
function flattener(file: string, inner: readonly string[]) {
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
    flatten(value, add, nested);
  };
}

/** Members beside a list of users that point to the next page. */
const nextNames =
  /^(?:next(?:_?page)?(?:_?(?:token|link|cursor|results))?|pagination_?token|@odata\.nextlink)$/i;
/** Members that say something about one answer of an API. Any other that differs may say whose users these are. */
const answerNames =
  /^(?:(?:next|prev|total|@odata\.)\S*|(?:has|is)_?(?:more|next|first|last)\S*|\S*(?:page|cursor|token)|(?:page|items_?per)\S*|start(?:_?index)?|limit|length|offset|skip|size|count|number(?:_?of_?elements)?|first|last|more|empty|etag|took|time(?:stamp)?|(?:request|trace)_?id)$/i;
const nothing = new Set(['', 'null', 'false', '0']);
/** Members that give the number of users of all pages, in Auth0, FusionAuth and SCIM (RFC 7644). */
const totalNames = /^total(?:_?(?:results|count|users))?$/i;

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
  let nexts = 0;
  let total = 0;
  return {
    /** Counts a list of records, which is one page. `value`: the number of the value of the file that has it. */
    addList(value: number): void {
      inOneValue ||= value === last;
      last = value;
      lists += 1;
    },
    /** Examines a member beside the records that is not a list or an object. */
    addValue(name: string, text: string): void {
      const before = members.get(name);
      if (before === undefined) members.set(name, text);
      else if (before !== text && !answerNames.test(name)) different ??= name;
      if (nextNames.test(name) && !nothing.has(text)) nexts += 1;
      if (totalNames.test(name) && /^\d+$/.test(text)) total = Number(text);
    },
    /**
     * Throws a `SourceError` if users are missing, or if lists may belong to different realms or tenants: such as the administrators
     * of Keycloak in the realm master.
     */
    end(rows: number): void {
      if (lists > 1 && different !== undefined) {
        const member = /^[\w-]{1,40}$/.test(different) ? JSON.stringify(different) : 'a member';
        throw new SourceError(
          file,
          `it has two lists of users, and beside them ${member} differs, as in an export of several realms or tenants: name one in the export (kc.sh export --realm NAME), or extract the users of one, for example: jq -c ${inOneValue ? '' : '-s '}'.[1].${path.join('.')}[]'. If all are of one tenant, leave out the 1`,
        );
      }
      const isCut = lists > 0 && nexts >= lists;
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
