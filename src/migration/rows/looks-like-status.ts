import { isNullMarker } from './validate-cell.ts';

/** States of a person who may log in or may not, as names of columns have them. */
const states =
  'activ(e|ated)|inactive|enabled?|disabled?|lock(ed(_?out)?)?|block(ed)?|suspend(ed)?|suspension|ban(ned)?|fr(ozen|eeze)|forbid(den)?|deleted?|removed|terminated|archived|expired|revoked|deactivated|discarded|approved|closed|(black|ban)_?list(ed)?|resigned|dismissed|withdrawn|dormant|cancell?ed|deceased|spam|(e_?mail_?)?confirmed';
/** What follows them: when, why, or that it is a flag. */
const facts =
  'at|on|date|dt|time(_?stamp)?|since|till|until|end|expir(es?|y|ation)(_?(at|on|date))?|state|status|reason|flag|flg|yn|ind(icator)?|cd';
const ends =
  'delet|deactivat|suspens|terminat|expirat|resignat|withdrawal|removal|dismissal|closure|closing|expiry|leav|exit|end';
const whose = 'user|usr|account|acct|login|emp|employee|employment|member|membership|customer|person|staff';
/** The day on which a lock or a ban ends. */
const lockEnd =
  '(lock(ed|_?out)?|ban(ned)?|block(ed)?|suspen(ded|sion)|disabled|frozen)_?(until|till|end|expir(es?|y|ation))(_?(at|on|date|time|utc))*';
/** The day on which an account ends. */
const accountEnd = `((${whose}|access|shadow|krb_?principal)_?)?(expir(ed?|es|y|ation)|valid_?(until|till|to))(_?(at|on|date|time|day|utc))*|end_?date|g(ü|ue?)ltig_?bis|ablauf_?datum`;
const logIn = 'log_?(in|on)|sign_?in|access|credentials?';
const whoseInChinese =
  '用户|用戶|账号|帐号|帳號|账户|帐户|帳戶|员工|員工|人员|人員|成员|成員|会员|會員|在职|在職';
const whoseInLatin = 'compte|utilisateur|client|membre|cuenta|usuario|cliente|conta|utilizador|utente';

/**
 * Names of columns that say whether a person may log in. The API creates every user enabled, so people who were disabled in the old
 * system could log in again.
 */
const words = [
  `(inet_?|life_?cycle_?)?((${whose})_?)?(status(_?(cd|code|id|flag|flg|name))?|state)`,
  `(is_?)?(((ds_pwp|ms_ds_user)_)?((${whose})_?)|soft_?)?(${states})(_?(${facts}))?`,
  `date_?(of_?)?(${states}|leaving|exit|((${ends})(ion)?))`,
  `(soft_?)?(${ends})(ion|e|ing)?_?(date|dt|time_?stamp)|(delet|deactivat|terminat)ion_?(at|on|time)`,
  'del|is_?del|del_?dt|(del|delete|use)_?(flag|flg|yn|ind)|(is_?)?valid(_?(flag|flg|yn|ind))?|user_?account_?control|lock(_?flag|out)|lockout_?enabled|((account|credentials)_?)?non_?(locked|expired)|samba_?acct_?flags|required_?actions',
  lockEnd,
  accountEnd,
  `(is_?)?(prohibit|prevent|deny|forbid|disable|block|allow|permit|can|may|no)_?(${logIn})|(${logIn})_?(allowed|permitted|enabled|disabled|denied|blocked|prohibited|forbidden|locked)`,
  `(${whoseInChinese})?(状态|狀態)|(${whoseInChinese})(情况|情況)|(${whoseInChinese})?(是否)?已?(启用|啟用|停用|停权|停權|禁用|激活|有效|失效|可用|(可|允许|允許|禁止)(登录|登入)|删除|刪除|锁定|鎖定|冻结|凍結|离职|離職|在职|在職|封禁|拉黑|注销|註銷)(标志|標誌|标识|標識|标记|標記|状态|狀態|时间|時間|日期|原因)?`,
  '((login|konto|benutzer|kunde|mitglied|mitarbeiter|zugang|kennzeichen|kz)_?)?(ist_?)?(aktiv(iert)?|inaktiv|gesperrt|deaktiviert|gel(ö|oe?)scht|ausgeschieden)(_?(am|seit|bis))?|(konto|benutzer)_?status|austritt(s_?datum)?',
  `((est|${whoseInLatin})_?)?(actif|active|inactif|inactive|(bloqu|d(é|e)sactiv|supprim|r(é|e)sili|radi)(é|e)e?|archiv(é|ée|ee)|suspendue?)(_le)?|statut|date_(de_)?(suppression|d(é|e)sactivation|r(é|e)siliation|radiation|blocage)`,
  `((est(á|a)|${whoseInLatin})_?)?(activ|inactiv|bloquead|desactivad|deshabilitad|eliminad|suspendid|cancelad|archivad|dad(o|a)_de_baj)(o|a)|(fecha_(de_)?)?baja|fecha_(de_)?(eliminaci(ó|o)n|bloqueo|cancelaci(ó|o)n)|estado`,
  `((est(á|a)|${whoseInLatin})_?)?(ativ|inativ|bloquead|desativad|exclu(í|i)d|desligad)(o|a)(_em)?|data_(de_)?(exclus(ã|a)o|desligamento|desativa(ç|c)(ã|a)o|bloqueio)|situa(ç|c)(ã|a)o`,
  `(${whoseInLatin}_?)?(attiv|inattiv|disattivat|disabilitat|bloccat|sospes|eliminat|cancellat)(o|a)|data_(di_)?(disattivazione|cancellazione)`,
  '(is_)?(actief|inactief|geblokkeerd|gedeactiveerd|verwijderd)(_op)?|(nie_?)?aktywn(y|a|e)|zablokowan(y|a|e)|usuni(ę|e)t(y|a|e)|(не_?)?актив(ен|на|ный)|заблокирован(а|ный)?|удал(ё|е)н(а|ный)?|отключ(ё|е)н(а|ный)?',
];
/** Objects and lists that a JSON file has only for people who may not log in, such as `locked: { since, by }`. */
const holdName =
  /^(is_)?(locked|lock(_?out)?|blocked|block|banned|ban|suspended|suspension|disabled|deactivated|deleted|terminated)$/i;
const statusName = new RegExp(`^(?:${words.join('|')})$`, 'i');

const saysLockEnd = new RegExp(`${lockEnd}(?:_|$)`, 'i');
const saysAccountEnd = new RegExp(`^(?:${accountEnd})$`, 'i');

/** Values of a column such as `status` that mean "may not log in". */
const outWords =
  /^(?:d|disabled?|inactive|deactivated|deleted?|removed|locked|blocked|suspended|banned|black_?listed|forbidden|terminated|closed|resigned|dismissed|archived|expired|revoked|frozen|left|retired|rejected|no_?login|停用|已停用|停权|已停权|停權|已停權|禁用|已禁用|离职|已离职|删除|已删除|锁定|已锁定|冻结|已冻结|注销|已注销|封禁|已封禁|失效|无效)$/i;
const inWords =
  /^(?:a|active|enabled?|ok|normal|valid|current|正常|启用|已启用|啟用|已啟用|激活|已激活|有效|在职|可用)$/i;
/** The way in which some systems write that an account cannot log in, between other words. */
const noLogin = /^no_?login$/i;

/** Most distinct words in a column of a status, a gender or an algorithm. */
export const mostWords = 16;

/** True for a name such as `status`, `is_active`, `isDisabled`, `del_flag`, `locked.since` or 状态. */
export function looksLikeStatus(name: string): boolean {
  return statusOf(name) !== undefined;
}

/** The names that look like a status. Beside two more columns of an address, `state` is a part of it. */
export function statusColumns(names: readonly string[]): string[] {
  const isThere = (part: RegExp) => names.some((name) => part.test(nameWords(name)));
  const address = [
    /^(city|town)$/i,
    /^(zip|postal)(_?code)?$/i,
    /^(street|address)(_?address)?$/i,
    /^country/i,
  ];
  const hasAddress = address.filter(isThere).length > 1;
  return names.filter((name) => looksLikeStatus(name) && !(hasAddress && /^state$/i.test(name.trim())));
}

/**
 * The part of a name that says that it is a status, without what follows, such as a remark in brackets or the names in an object
 * `locked`; `undefined` for any other name.
 */
export function statusOf(name: string): string | undefined {
  const parts = ownNames(withoutRemark(name));
  if (statusName.test(nameWords(parts.at(-1) ?? ''))) return parts.join('.');
  const hold = parts.findIndex((part) => holdName.test(nameWords(part)));
  return hold === -1 ? undefined : parts.slice(0, hold + 1).join('.');
}

/** What ends on the day in a column of this name, by its words; `undefined` if it is not known what happens on that day. */
export function whatEnds(words: string): 'lock' | 'account' | undefined {
  if (saysLockEnd.test(words)) return 'lock';
  return saysAccountEnd.test(words) ? 'account' : undefined;
}

/** What a word says by itself, whatever its column is. */
export function meaningOfWord(word: string): 'out' | 'in' | undefined {
  if (outWords.test(word)) return 'out';
  return inWords.test(word) ? 'in' : undefined;
}

/**
 * True if the distinct values of a column show that it is a status, whatever its name is: all of them are words of one, and some mean
 * "may not log in".
 */
export function areStatusWords(values: readonly string[]): boolean {
  if (values.some((word) => noLogin.test(word))) return true;
  // A single letter can mean anything.
  const meanings = values.map((word) => (word.length > 1 ? meaningOfWord(word) : undefined));
  return meanings.includes('out') && !meanings.includes(undefined);
}

/** Creates an empty look at a column, which finds out whether its values are those of a status. */
export function createStatusLook() {
  const words = new Set<string>();
  return {
    /** Adds a value, without blanks at both ends. */
    add(value: string): void {
      if (value !== '' && words.size <= mostWords && !isNullMarker(value)) words.add(value);
    },
    isStatus: () => words.size <= mostWords && areStatusWords([...words]),
  };
}

/** What says nothing at the end of a JSON path: numbers of a list, and types of MongoDB (`$date`) and of DynamoDB (`S`). */
const typeNames = /(?:\.(?:\d+|\$\w+|S|N|B|BOOL|NULL|SS|NS|BS|L|M))+$/;

/** The parts of a JSON path, without types and numbers at its end. */
export function ownNames(path: string): string[] {
  return path.replace(typeNames, '').split('.');
}

/** The words of a name, joined by `_`, without marks and a remark at its end: `Status [READ ONLY]`, `Active?`. */
export function nameWords(name: string): string {
  return withoutRemark(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replace(/[\s.-]+/g, '_');
}

function withoutRemark(name: string): string {
  return name.trim().replace(/\s*(?:\[[^\]]*\]|\([^)]*\)|[?*:])$/, '');
}
