/**
 * Names of columns that say whether a person may log in. The API creates every user enabled, so people who were
 * disabled in the old system would come back.
 */
const words = [
  'status|state|(user|account|acct|login|emp|employee)_?(status|state)',
  '(is_?|user_?|account_?)?(active|inactive|enabled?|disabled?|locked|blocked|suspended|banned|frozen|deleted|removed|terminated|archived|expired|revoked)(_?(at|on|flag|date|time))?',
  'del|del_?flag|is_?del|delete_?flag|(is_?)?valid(_?flag)?|user_?account_?control|end_?date|leave_?date|expires?_?(at|on)|lock(_?flag|out)?|lockout_?(enabled|end)',
  '(用户|账号|帐号|账户|帐户|员工|在职)?状态|(是否)?(启用|停用|禁用|激活|有效|删除|锁定|冻结|离职|在职|封禁|注销)(标志|标识|标记|状态|时间|日期)?',
];
const statusName = new RegExp(`^(?:${words.join('|')})$`, 'i');

/** True for a name such as `status`, `is_active`, `isDisabled`, `del_flag` or 状态. */
export function looksLikeStatus(name: string): boolean {
  const words = name
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replace(/[\s.-]+/g, '_');
  return statusName.test(words);
}
