import { looksLikeHash } from '../hashes/formats.ts';
import { hasControlCharacter } from './validate-cell.ts';

/**
 * Names of columns that say whether a person may log in. The API creates every user enabled, so people who were disabled in the old
 * system could log in again.
 */
const words = [
  'status|state|(inet_?)?(user|account|acct|login|emp|employee|employment)_?(status|state)',
  '(is_?|user_?|((ds_pwp|ms_ds_user)_)?account_?|login_?)?(active|activated|inactive|enabled?|disabled?|lock(ed(_?out)?)?|block(ed)?|suspended|suspension|ban(ned)?|fr(ozen|eeze)|forbid(den)?|deleted?|removed|terminated|archived|expired|revoked|deactivated|discarded|approved)(_?(at|on|flag|date|time|till|until|state|status|reason))?',
  'del|del_?flag|is_?del|delete_?flag|(is_?)?valid(_?flag)?|user_?account_?control|(end|leave|leaving|exit|termination)_?date|expires?_?(at|on)|lock(_?flag|out|_?expires)?|lockout_?(enabled|end)|((account|credentials)_?)?non_?(locked|expired)|account_?expires|shadow_?expire|samba_?acct_?flags',
  '(用户|账号|帐号|账户|帐户|员工|在职)?状态|(是否)?(启用|停用|禁用|激活|有效|删除|锁定|冻结|离职|在职|封禁|注销)(标志|标识|标记|状态|时间|日期)?',
  '(ist_?)?(aktiv(iert)?|inaktiv|gesperrt|deaktiviert|gel(ö|oe?)scht|ausgeschieden)(_?(am|seit|bis))?|(konto|benutzer)_?status|austritt(s_?datum)?',
  '(est_?)?(actif|inactif|bloqu(é|e)|d(é|e)sactiv(é|e)|supprim(é|e)|suspendu)|statut',
  '(est(á|a)_?)?(activo|inactivo|bloqueado|desactivado|deshabilitado|eliminado|suspendido|ativo|inativo|desativado|exclu(í|i)do)|estado|situa(ç|c)(ã|a)o',
];
/** Objects and lists that a JSON file has only for people who may not log in, such as `locked: { since, by }`. */
const holdName =
  /^(is_)?(locked|lock(_?out)?|blocked|block|banned|ban|suspended|suspension|disabled|deactivated|deleted|terminated)$/i;
const statusName = new RegExp(`^(?:${words.join('|')})$`, 'i');

/** True for a name such as `status`, `is_active`, `isDisabled`, `del_flag`, `locked.since` or 状态. */
export function looksLikeStatus(name: string): boolean {
  const parts = ownNames(name).map(wordsOf);
  return statusName.test(parts.at(-1) ?? '') || parts.some((part) => holdName.test(part));
}

/** What says nothing at the end of a JSON path: numbers of a list, and types of MongoDB (`$date`) and of DynamoDB (`S`). */
const typeNames = /(?:\.(?:\d+|\$\w+|S|N|B|BOOL|NULL|SS|NS|BS|L|M))+$/;

/** The parts of a JSON path, without types and numbers at its end. */
export function ownNames(path: string): string[] {
  return path.replace(typeNames, '').split('.');
}

/** True for a name such as `salt`, `passwordSalt`, `credentials.salt` or 盐值, whose values were hashed with the password. */
export function looksLikeSalt(name: string): boolean {
  return /(?:^|_)(?:pw|pwd|pass|password)?salt(?:_|$)|盐/i.test(wordsOf(name));
}

/** The words of a name, joined by `_`. */
function wordsOf(name: string): string {
  return name
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replace(/[\s.-]+/g, '_');
}

/** Returns the name, or the position of the column if the name does not look like one: it may be a value. */
export function shownName(name: string, index: number): string {
  return isShown(name) ? name : `(column ${index + 1})`;
}

/** Returns what is shown of a list of objects that is not read; see `Scanned`. */
export function shownList(name: string): string {
  return isShown(name) ? `the list ${name}` : 'a list';
}

const longestWord = 24;

/** True for a word of a file, such as one of a status, that may be shown: short, and neither an address, a long number nor a hash. */
export function isWord(text: string): boolean {
  return (
    text.length <= longestWord &&
    !text.includes('@') &&
    !hasControlCharacter(text) &&
    !/\d{5}/.test(text) &&
    !looksLikeHash(text)
  );
}

/** A JSON path, such as `profile.emails.0.value` or `_id.$oid`, may be long: only its parts have a limit. */
const jsonPath = /^[\p{L}_][\p{L}\p{N}_: -]{0,29}(?:\.(?:\$?[\p{L}_][\p{L}\p{N}_: -]{0,29}|\d{1,4})){1,9}$/u;

/** True for a text that looks like the name of a column. */
export function isShown(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_.: -]{0,29}$/u.test(name) || jsonPath.test(name);
}
