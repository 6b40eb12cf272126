import { fieldNamed } from './fields.ts';

/** Usual names of older systems, without case, blanks and punctuation. */
const usualNames: Record<string, string> = {
  ...namesOf(
    'user_name',
    'username login loginname loginid account accountname uid userid 用户名 登录名 账号',
  ),
  ...namesOf('name', 'fullname displayname realname cn 姓名 名字'),
  ...namesOf(
    'mobile',
    'phone phonenumber mobilephone mobilenumber cellphone cell tel telephone 手机号 手机 手机号码 电话',
  ),
  ...namesOf('email', 'mail emailaddress mailaddress 邮箱 电子邮箱 邮件'),
  ...namesOf('attr_gender', 'gender sex 性别'),
  ...namesOf('attr_birthday', 'birthday birthdate dateofbirth dob 生日 出生日期'),
  ...namesOf('attr_nick_name', 'nickname nick 昵称'),
  ...namesOf('mailing_address', 'address postaladdress street 地址 通讯地址'),
  ...namesOf('zip_code', 'zip postcode postalcode plz 邮编 邮政编码'),
  ...namesOf('first_name', 'givenname forename vorname 名'),
  ...namesOf('last_name', 'surname familyname lastname nachname sn 姓'),
  ...namesOf('industry', 'branch sector 行业'),
  ...namesOf('external_id', 'legacyid oldid sourceid customerid employeeid id 外部id'),
  ...namesOf('head_img', 'avatar photo picture image 头像'),
  ...namesOf('pwd_must_modify', 'mustchangepassword forcechange mustmodify'),
  ...namesOf('algorithm', 'algo hashalgorithm hashalgo hashtype passwordalgorithm passwordhasher 算法'),
  ...namesOf(
    'hash',
    'passwordhash pwdhash passwd password pwd hashedpassword passworddigest digest 密码 密码哈希',
  ),
  ...namesOf('key', 'hmackey secretkey hashkey salt 密钥'),
};

/** The field that a column of this name most likely means; `undefined` when nothing comes to mind. */
export function suggestField(name: string): string | undefined {
  const plain = plainName(name);
  return usualNames[plain] ?? fieldsByPlainName(plain, name);
}

function fieldsByPlainName(plain: string, name: string): string | undefined {
  const trimmed = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (fieldNamed(trimmed)) return trimmed;
  return Object.values(usualNames).find((field) => plainName(field) === plain);
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function namesOf(field: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, field]));
}
