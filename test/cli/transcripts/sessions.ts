import { application } from '../../test-service.ts';
import type { Scene } from './start-shell.ts';

/** A session of command lines, each on a line of its own, and the files and users that exist before it. */
interface Session extends Scene {
  lines: string;
}

const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const device = '--os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d';

/** The sessions, by the name of their test file. Each is run once in a pipe and once on a terminal. */
export const sessions = {
  users: {
    files: {
      'ann.json': '{ "name": "Ann Lee", "email": "ann@example.com", "extension": { "age": "42" } }',
      'password.txt': 'Str0ng-Enough!\n',
      'leavers.txt': 'nobody\n',
    },
    lines: `
  tenant-users create --user-name ann --data ann.json --password-file password.txt
  tenant-users users create --user-name 李雷 --nick-name lilei
  tenant-users create --user-name ann
  tenant-users list
  tenant-users users list --columns user_name,extension.age
  tenant-users list --all -o csv --columns user_name,nick_name
  tenant-users get --by-user-name ann
  tenant-users update --by-user-name ann --email ann@example.org --unset name
  tenant-users update --by-user-name ann
  tenant-users get --by-user-name ann --json --columns user_name,email
  tenant-users get nobody
  tenant-users disable --by-user-name ann --yes
  tenant-users disable --from leavers.txt --yes
  tenant-users list --limit 5
`,
  },
  daily: {
    files: { 'key.json': '{ "user_name": "ann" }', 'change.json': '{ "industry": "IT" }' },
    lines: `
  tenant-users create --user-name ann --name 'Ann Lee' --email ann@example.com --extension age=42 -q > id
  tenant-users create --user-name 李雷 -q > /dev/null
  tenant-users list --search LEE --where disabled=false --columns user_name,email,disabled
  tenant-users list --where email= --sort -user_name -q --columns user_name
  tenant-users list --where age=42
  tenant-users list --sort user_name -o tsv --columns user_name,name,extension.age
  tenant-users list --all --output-file users.csv -o csv --columns user_name
  cat users.csv
  tenant-users list --all --output-file missing/users.csv
  tenant-users api POST users/user-by-user-name --data key.json < /dev/null
  tenant-users api POST users/user-by-username --data key.json --columns user_name,email -o csv
  tenant-users api GET 'users?limit=10' --paginate -o jsonl --columns user_name
  tenant-users api PUT "users/$(cat id)" --data key.json < /dev/null
  tenant-users api PUT "users/$(cat id)" --data change.json --yes --json > /dev/null
  tenant-users ensure --user-name bob --email bob@example.com -q > /dev/null
  tenant-users ensure --user-name bob --email BOB@example.com --name Bob > /dev/null
  tenant-users users ensure --user-name bob --name Bob --json > /dev/null
  tenant-users ensure --user-name bob --email ann@example.com
  tenant-users ensure --name Bob < /dev/null
  tenant-users api GET https://elsewhere.example/api/v2/tenant/users
`,
  },
  'single-sign-on': {
    files: { 'password.txt': 'Str0ng-Enough!', 'wrong.txt': '654321' },
    lines: `
  tenant-users create --user-name ann --password-file password.txt --no-must-modify -q > /dev/null
  tenant-users sso ticket ann --password-file wrong.txt
  tenant-users sso ticket ann --password-file password.txt --device-fingerprint f00d -q --columns expire
  tenant-users sso ticket ann --password-file password.txt --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d --json > ticket.json
  sed 's/.*"sso_ticket":"\\([^"]*\\)".*/\\1/' ticket.json | tenant-users sso verify ${device} --columns userName
  tenant-users sso verify nonsense ${device}
  tenant-users sso check ann --password-file password.txt --columns userName
  tenant-users sso check ann --password-file wrong.txt
`,
  },
  migration: {
    files: {
      'legacy.csv': `user_name,algorithm,hash,pwd_must_modify\nann,md5,${md5},false\nbob,md5,${md5},\ncid,md5,nonsense,\n`,
      'password.txt': '123456',
      'hashes.txt': `${md5}\nnonsense\n`,
      'wrong.txt': '654321',
    },
    lines: `
  tenant-users forecast legacy.csv --columns rows,ready,requests
  tenant-users forecast legacy.csv --probe-reads 1s
  tenant-users import-hashes legacy.csv --dry-run --job rehearsal
  tenant-users import-hashes legacy.csv --yes
  tenant-users import-hashes missing.csv
  tenant-users import-hashes legacy.csv --window 22:00-22:00
  tenant-users import-hashes merge legacy.csv.import
  tenant-users hash identify hashes.txt
  tenant-users hash verify --csv legacy.csv --by-user-name ann --password-stdin < password.txt
  tenant-users hash verify --csv legacy.csv --by-user-name ann --password-stdin < wrong.txt
  tenant-users explain SVC.TENANT.USER.0001
  tenant-users explain nonsense
`,
  },
  plans: {
    files: {
      'legacy.csv': `user_name,name,algorithm,hash,pwd_must_modify\nann,Ann Lee,md5,${md5},false\nbob,Bob,md5,${md5},false\n`,
      'changed.csv': 'user_name,name\nann,Ann Li\ncid,Cid\n',
    },
    lines: `
  tenant-users import-hashes legacy.csv --yes -q > summary.txt
  tenant-users compare legacy.csv --job legacy.csv.import
  tenant-users compare changed.csv
  cat changed.csv.compare/differs.csv | cut -d, -f1,2,4
  tenant-users plan changed.csv --allow-passwordless --key user_name --update name
  tenant-users plan show changed.csv.plan --action update --columns row,reason,fields
  tenant-users plan changed.csv --allow-passwordless --to second.plan --json | cut -c1-11
  tenant-users plan diff second.plan changed.csv.plan --columns row,before
  openssl genpkey -algorithm ed25519 -out key.pem && openssl pkey -in key.pem -pubout -out key.pub
  tenant-users plan sign changed.csv.plan key.pem -q > signed.txt
  tenant-users plan verify second.plan key.pub
  tenant-users apply changed.csv.plan --require-signature key.pub --yes
  tenant-users apply changed.csv.plan --yes
  tenant-users update --csv changed.csv --key user_name --yes
  tenant-users disable --csv changed.csv --key user_name --yes
`,
  },
  'after-import': {
    files: {
      'legacy.csv': `user_name,name,algorithm,hash,pwd_must_modify\nann,Ann Lee,md5,${md5},false\nbob,Bob,md5_sha256,${md5}${md5},false\n`,
      'password.txt': '123456',
    },
    lines: `
  tenant-users import-hashes legacy.csv --yes -q > summary.txt
  tenant-users sso ticket ann --password-file password.txt -q > ticket.txt
  tenant-users cutover legacy.csv.import --dormant write-to.csv
  tenant-users cutover legacy.csv.import -o csv --columns algorithm,logged_in,never
  tenant-users undo legacy.csv.import --dry-run
  tenant-users undo legacy.csv.import --yes
  tenant-users undo legacy.csv.import --yes
`,
  },
  records: {
    files: {
      'legacy.csv': `user_name,algorithm,hash,pwd_must_modify\nann,md5,${md5},false\nbob,md5,${md5},false\ncid,md5,nonsense,\n`,
      'known.csv': 'ann,123456\n',
    },
    lines: `
  tenant-users runs
  tenant-users import-hashes legacy.csv --yes -q --canary known.csv > summary.txt
  tenant-users import-hashes status legacy.csv.import
  tenant-users import-hashes status legacy.csv
  tenant-users runs --columns time,kind,state,rows,directory
  tenant-users update --by-user-name ann --name Ann -q > id.txt
  tenant-users disable 20220126153857263-A04D-60E0D446C --yes -q
  tenant-users log --columns time,command,outcome,changed
  tenant-users log --command apply
  tenant-users evidence legacy.csv.import --to acme.evidence --columns file,rows,signed
  tenant-users evidence verify acme.evidence --find user_name=bob --columns job.file,job.rows,valid
  sed 's/"row":2/"row":3/' acme.evidence > changed.evidence
  tenant-users evidence verify changed.evidence
  tenant-users job retarget legacy.csv.import
  tenant-users job purge legacy.csv.import < /dev/null
  tenant-users job purge legacy.csv.import --yes --columns rows,deleted
  tenant-users import-hashes status legacy.csv.import
  tenant-users import-hashes legacy.csv --yes
`,
  },
  recipes: {
    files: {
      'mine.yaml': `fields: { user_name: { column: user_name, lower: true } }\npassword: { column: hash, algorithm: { infer: true } }\nexamples: [{ in: { user_name: Ann }, out: { user_name: ann } }]\n`,
      'wrong.yaml': 'fields:\n  user_name: { colum: login }\n',
      'legacy.csv': `user_name,algorithm,hash,pwd_must_modify\nann,md5,${md5},false\nbob,md5,${md5},\ncid,md5,nonsense,\n`,
    },
    lines: `
  tenant-users template
  tenant-users template -o table --columns name
  tenant-users assess legacy.csv
  tenant-users recipe list
  tenant-users recipe show okta | head -6
  tenant-users recipe make legacy.csv
  tenant-users recipe check mine.yaml legacy.csv
  tenant-users recipe check wrong.yaml
  (echo 'open: [enc may say who is disabled]'; cat mine.yaml) | tenant-users import-hashes legacy.csv --recipe - --yes
`,
  },
  profiles: {
    files: { 'secret.txt': application.client_secret, 'wrong.txt': 'wrong' },
    env: {},
    lines: `
  tenant-users status
  tenant-users doctor | grep -v -e program -e compiled
  tenant-users login --base-url $SERVICE --client-id test-application --client-secret-file wrong.txt
  tenant-users login --base-url $SERVICE --client-id test-application --client-secret-file secret.txt
  tenant-users login --profile other --local :memory:
  tenant-users login --profile other --base-url $SERVICE --client-id test-application --client-secret-file secret.txt
  tenant-users status
  tenant-users status --json --columns profile,client_id
  tenant-users profiles list
  chmod 644 config.json; mkdir -m 700 config.json.lock; touch -d 2026-01-01 config.json.lock
  tenant-users doctor --fix < /dev/null
  tenant-users doctor --fix --yes | grep -c ^warning
  tenant-users profiles use other
  tenant-users profiles use nobody
  tenant-users profiles remove other --yes
  tenant-users profiles remove default --yes < /dev/null
  tenant-users logout --all
`,
  },
  service: {
    files: {
      'acme.json': '{ "tenant_id": "acme", "password": { "min_length": 10 } }',
      'faulty.json': '{ "tenant_id": "acme", "pasword": {} }',
    },
    lines: `
  tenant-users schema ensure --line
  tenant-users completion tcsh
  tenant-users help exit-codes | head -5
  tenant-users help environments
  tenant-users tenant check acme.json
  tenant-users tenant check faulty.json
  tenant-users tenant apply faulty.json --local tenant.db
  tenant-users tenant apply acme.json --local tenant.db
  tenant-users tenant show --local tenant.db | head -3
  tenant-users tenant show nobody --local tenant.db
  tenant-users tenant copy copied.db --local tenant.db
  tenant-users tenant learn --local tenant.db --output-file learned.json
  tenant-users tenant check learned.json
  tenant-users serve --host 0.0.0.0
  tenant-users serve --tls-cert missing.pem
  tenant-users mcp
`,
  },
  administration: {
    files: { 'acme.json': '{ "tenant_id": "acme" }' },
    lines: `
  tenant-users keys list --local tenant.db
  tenant-users tenant apply acme.json --local tenant.db -q
  tenant-users keys list --local tenant.db
  tenant-users keys rotate --local tenant.db -q --columns tenant_id,state
  tenant-users keys rotate --local tenant.db --tenant globex
  tenant-users keys rotate --local tenant.db --compromised < /dev/null
  tenant-users keys reset --local tenant.db --yes
  tenant-users audit --local tenant.db --columns event,outcome
  tenant-users audit --local missing.db
  tenant-users apps list --local tenant.db
  tenant-users apps create --local tenant.db --name HR -q --columns name,scope
  tenant-users apps create --local tenant.db --scope write
  tenant-users apps list --local tenant.db -o csv --columns client_id | tail -1 > id
  tenant-users apps rotate-secret "$(cat id)" --local tenant.db -q --columns name,former_secret_until
  tenant-users apps rotate-secret "$(cat id)" --local tenant.db
  tenant-users apps rotate-secret nobody --local tenant.db
  tenant-users apps revoke "$(cat id)" --local tenant.db < /dev/null
  tenant-users apps revoke "$(cat id)" --local tenant.db --yes -q
  tenant-users sessions end --app nobody --local tenant.db
  tenant-users sessions end nobody --local tenant.db
  tenant-users sessions end --local tenant.db < /dev/null
`,
  },
} as const satisfies Record<string, Session>;
