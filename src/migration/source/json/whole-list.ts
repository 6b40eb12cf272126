import { SourceError } from '../../model/errors.ts';

/** Members beside a list of users that say where the next page is. */
const nextNames =
  /^(?:next(?:_?page)?(?:_?(?:token|link|cursor|results))?|pagination_?token|@odata\.nextlink)$/i;
const nothing = new Set(['', 'null', 'false', '0']);
/** Members that count the users of all pages: of Auth0, FusionAuth, SCIM (RFC 7644). */
const totalNames = /^total(?:_?(?:results|count|users))?$/i;

/**
 * Makes a check that a file has all pages of a list, as APIs give it: the answer to one request often ends long before the last
 * user. Pages that follow one another in a file are one list.
 */
export function createWholeList(file: string, path: readonly string[]) {
  let lists = 0;
  let nexts = 0;
  let total = 0;
  return {
    /** A member that is a list, on the way to the records. */
    addList(): void {
      lists += 1;
    },
    /** A member that is none, beside the records. */
    addValue(name: string, text: string): void {
      if (nextNames.test(name) && !nothing.has(text)) nexts += 1;
      if (totalNames.test(name) && /^\d+$/.test(text)) total = Number(text);
    },
    /** Throws a `SourceError` where users are missing. */
    end(rows: number): void {
      const isCut = lists > 0 && nexts >= lists;
      if (!isCut && total <= rows) return;
      const [says, hint] = isCut
        ? ['it names a next page', 'the other pages']
        : [`it says that there are ${total} users, and has ${rows}`, 'all pages'];
      throw new SourceError(
        file,
        `this is a part of a list: ${says}; export ${hint} into the file too, one after the other. Where all users are here, take them alone: jq -c '.${path.join('.')}[]'`,
      );
    },
  };
}
