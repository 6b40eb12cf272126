import { SourceError } from '../../model/errors.ts';

/** Members beside a list of users that point to the next page. */
const nextNames =
  /^(?:next(?:_?page)?(?:_?(?:token|link|cursor|results))?|pagination_?token|@odata\.nextlink)$/i;
const nothing = new Set(['', 'null', 'false', '0']);
/** Members that give the number of users of all pages, in Auth0, FusionAuth and SCIM (RFC 7644). */
const totalNames = /^total(?:_?(?:results|count|users))?$/i;

/**
 * Creates a check that a file has all pages of a list from an API: the response to one request often ends long before the last
 * user. Pages that follow one another in a file are one list.
 */
export function createWholeList(file: string, path: readonly string[]) {
  let lists = 0;
  let last = 0;
  let nexts = 0;
  let total = 0;
  return {
    /**
     * Counts a list of records, which is one page. Throws a `SourceError` if its value, the `value`th of the file, has another: that
     * of other users, such as the administrators of Keycloak in the realm master.
     */
    addList(value: number): void {
      if (value === last)
        throw new SourceError(
          file,
          `it has two lists of users in one value, as an export of several realms: name one realm in the export (kc.sh export --realm NAME), or extract the users of one, for example: jq -c '.[1].${path.join('.')}[]'`,
        );
      last = value;
      lists += 1;
    },
    /** Examines a member beside the records that is not a list or an object. */
    addValue(name: string, text: string): void {
      if (nextNames.test(name) && !nothing.has(text)) nexts += 1;
      if (totalNames.test(name) && /^\d+$/.test(text)) total = Number(text);
    },
    /** Throws a `SourceError` if users are missing. */
    end(rows: number): void {
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
