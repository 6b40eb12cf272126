import { longestName } from '../../model/source-record.ts';
import type { SourceFormat } from '../../source/detect-format.ts';
import type { ColumnOptions } from './column-options.ts';
import { fieldNamed } from './fields.ts';
import { ownNames } from './looks-like-status.ts';

/** The usual names of the columns of each field in older systems, in lower case without blanks and punctuation. */
const usualNames: Record<string, string> = {
  user_name:
    'username userlogin login benutzer benutzername loginname loginid account accountname uid userid cognitousername samaccountname usuario nombreusuario nomutilisateur nomeutente utilizador gebruikersnaam 用户名 登录名 账号 帳號 ログインid ユーザー名',
  name: 'fullname displayname realname cn anzeigename vollername vorundnachname vornameundnachname nachnamevorname nombrecompleto nombreyapellidos apellidosynombre nomcomplet nometprenom nometprénom prenometnom prénometnom nomecompleto nomeecognome cognomeenome nominativo volledigenaam imięinazwisko imieinazwisko nazwiskoiimię nazwiskoiimie jménoapříjmení adsoyad adısoyadı 姓名 名字 氏名',
  mobile:
    'phone phonenumber mobilephone mobilenumber cellphone cell tel telephone telephonenumber telefon handy mobil movil móvil telemovel telemóvel celular telefono teléfono téléphone telefone cellulare telefoonnummer 手机号 手机 手机号码 电话',
  email:
    'mail useremail emailaddress mailaddress emailadresse correo correoelectronico correoelectrónico courriel 邮箱 电子邮箱 邮件 电子邮件 電子郵件 メールアドレス',
  attr_gender: 'gender sex geschlecht sexo sexe sesso geslacht 性别 性別',
  attr_birthday:
    'birthday birthdate dateofbirth dob born geburtsdatum geburtstag fechanacimiento fechadenacimiento datenaissance datedenaissance datanascita datadinascita datanascimento datadenascimento dataurodzenia geboortedatum 生日 出生日期 生年月日',
  attr_nick_name: 'nickname nick 昵称',
  mailing_address:
    'address postaladdress street anschrift adresse direccion dirección indirizzo endereço 地址 通讯地址 住所',
  zip_code:
    'zip postcode postalcode plz postleitzahl codigopostal códigopostal codepostal cep 邮编 邮政编码 郵便番号',
  first_name: 'givenname forename vorname prenom prénom voornaam imię 名',
  last_name:
    'surname familyname lastname nachname familienname sn apellido apellidos nomdefamille cognome sobrenome achternaam nazwisko 姓',
  industry: 'branch sector 行业',
  external_id: 'legacyid oldid sourceid customerid employeeid employeenumber id pk 外部id',
  head_img: 'avatar photo picture image 头像',
  pwd_must_modify: 'mustchangepassword forcechange mustmodify',
  algorithm:
    'algo enc encryption hashalgorithm hashalgo hashtype passwordalgorithm passwordhasher passwordhashalgo passwordhashalgorithm passwdhashalgo 算法',
  hash: 'hashes digest bcrypt hashedsaltedvalue',
  key: 'hmackey secretkey hashkey 密钥',
};

const fieldsOfNames = new Map(
  Object.entries(usualNames).flatMap(([field, names]) => names.split(' ').map((name) => [name, field])),
);

/** Words for a password. */
const passwords = [
  'password|passwd|pwd|pswd|passphrase|passwort|kennwort|contraseña|contrasena|motdepasse|senha|pass|pw|psw|mdp',
  'wachtwoord|parola|şifre|sifre|hasło|heslo|geslo|lozinka|jelszó|salasana|adgangskode|lösenord|passord',
  'пароль|密码|密碼|口令|パスワード|비밀번호',
].join('|');
const whose = 'user|usr|login|account|acct|member|customer|用户|用戶|登录|登入|登陆|账号|帐号|帳號';
const how =
  'hash(?:e[ds])?|digest|b?crypt(?:ed)?|enc(?:rypted)?|salted|md5|sha(?:1|256|512)?|value|哈希|加密';

/** Names of columns that hold either passwords or hashes: the name does not say which. */
const plainPassword = new RegExp(`^(?:${passwords}|passcode)$`);

/** With any other word it may be another password, such as one for payments, or one from before. */
const ownPassword = new RegExp(`^(?:${whose})?(?:${how})*(?:${passwords})(?:${how})*$`);

/**
 * Returns the last name in a JSON path that says what the value is, such as `email` of `emails.0.email` and `emails.0.value`; other
 * names as a whole.
 */
export function wordOf({ format }: { format: SourceFormat }, name: string): string {
  if (format !== 'json') return name;
  const list = /([^.]+?)s\.\d+\.value$/.exec(name)?.[1] ?? '';
  return suggestField(list) ? list : (ownNames(name).at(-1) ?? name);
}

/** True for the name of a column that may hold the passwords themselves. */
export function mayBePassword(name: string): boolean {
  return plainPassword.test(plainName(name));
}

/** True for a name that can only be that of the passwords with which people log in, or of their hashes. */
export function isPasswordName(name: string): boolean {
  return ownPassword.test(plainName(name));
}

/** Words for the last name beside a first name, or for the first name beside a last name; alone perhaps for the whole. */
const halfName = /^(?:nom|nombre|nome|naam)$/;

/** True for the name of a column that holds the one half of the name or the whole, depending on the other columns. */
export function mayBeHalfName(name: string): boolean {
  return halfName.test(plainName(name));
}

const persons = [
  'user|account|customer|client|member|membership|employee|staff|personnel|student|person|kunden?|mitglieds?|mitarbeiter|personal',
  'benutzer|cliente|socio|usuario|empleado|adhérent|adherent|utilisateur|utente|dipendente|sócio|klant|lid|klienta',
  '客户|客戶|会员|會員|员工|員工|用户|用戶|学生|顧客|会員|社員',
].join('|');
const number =
  'id|no|nr|num|number|code|nummer|número|numero|numéro|código|codigo|codice|numer|编号|編號|号|號|番号|id号';

/** A number that a firm or a school gives each person. */
const personNumber = new RegExp(
  `^(?:(?:${persons})(?:${number})|(?:${number})(?:de|del|di|do|da)?(?:${persons})|matr[ií]cula|matr[ií]cule|matricola|legajo|工号|工號|学号|學號)$`,
);

/** True for the name of a column that may hold numbers of people. */
export function isPersonNumber(name: string): boolean {
  return personNumber.test(plainName(name));
}

/** Names of facts for which a tenant can have only extension attributes. */
const usualExtensions = new Set(['dept', 'department', 'company', 'jobtitle', 'title', 'position', '部门']);

/** Returns the field that a column with this name most likely holds; `undefined` if none is likely. */
export function suggestField(name: string): string | undefined {
  const plain = plainName(name);
  if (usualExtensions.has(plain)) return `extension.${name.trim()}`;
  if (isPasswordName(name) && !mayBePassword(name)) return 'hash';
  return fieldsOfNames.get(plain) ?? fieldsByPlainName(plain, name);
}

/** Returns a function that finds the field of a known name, by which the delimiter, and people in a record, are detected. */
export function fieldFinder({ map = [] }: ColumnOptions): (name: string) => string | undefined {
  const mapped = new Map(map.map(({ field, column }) => [column, field]));
  return (name) =>
    mapped.get(name) ?? suggestField(name) ?? (mayBePassword(name) ? 'hash' : fieldNamed(name)?.target);
}

/** True if `find` knows the field of a column, or of the last name in its path: a recipe can be made for such a file. */
export function hasKnownName(
  source: { format: SourceFormat; header: { cells: readonly string[] } },
  find: (name: string) => string | undefined,
): boolean {
  return source.header.cells.some((name) => (find(name) ?? find(wordOf(source, name))) !== undefined);
}

/** Groups columns by the field that their names suggest; leaves out fields that are `taken`. */
export function likelyColumns(
  columns: readonly string[],
  taken: { has(target: string): boolean },
  suggest: (name: string) => string | undefined = suggestField,
): ReadonlyMap<string, { field: string; names: string[] }> {
  const likely = new Map<string, { field: string; names: string[] }>();
  for (const name of columns) {
    const field = suggest(name);
    const target = field && fieldNamed(field)?.target;
    if (!target || taken.has(target)) continue;
    const found = likely.get(target) ?? { field, names: [] };
    found.names.push(name);
    likely.set(target, found);
  }
  return likely;
}

/**
 * Maps the fields for which exactly one column is likely; a column that may hold passwords is taken for the hashes. What `map`
 * says stays, and only other columns and fields are added.
 */
export function guessColumns(
  header: readonly string[],
  map: readonly { field: string; column: string }[] = [],
): { field: string; column: string }[] {
  const mapped = new Set(map.map(({ column }) => column));
  const others = header.filter((name) => !mapped.has(name));
  const names = [...others, ...map.map(({ field }) => field)];
  const taken = new Set(names.flatMap((name) => fieldNamed(name)?.target ?? []));
  const suggest = (name: string) => suggestField(name) ?? (mayBePassword(name) ? 'hash' : undefined);
  const guessed = [...likelyColumns(others, taken, suggest).values()].flatMap(
    ({ field, names: [column = '', ...more] }) => (more.length === 0 ? [{ field, column }] : []),
  );
  return [...map, ...guessed];
}

function fieldsByPlainName(plain: string, name: string): string | undefined {
  const trimmed = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (fieldNamed(trimmed)) return trimmed;
  return Object.keys(usualNames).find((field) => plainName(field) === plain);
}

/** What a form says of a name, as that of Google Workspace does, and not what the values are. */
const formRemark = /\s*[[(](?:required|optional|read[ -]only|upload[ -]only|必填|选填)[\])]\s*$/i;

/** Letters and digits of a name, in lower case; none of a text that no column can have as its name. */
function plainName(name: string): string {
  if (name.length > longestName) return '';
  return name
    .replace(formRemark, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
