import { expect, test } from 'vitest';
import { patience, startShell } from './start-shell.ts';

const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const header = 'user_name,email,algorithm,hash,pwd_must_modify\n';
const row = (name: string, email = `${name}@example.com`) => `${name},${email},md5,${md5},false\n`;
const people = Array.from({ length: 40 }, (_, at) => `person${at + 1}`);

/** Applies the plan, and kills the process once it has sent something. */
const applyAndKill = `rm -f monday.plan/running.json; tenant-users apply monday.plan --require-signature approver.pub --rate 10/s --yes -q > killed.txt & pid=$!; while kill -0 $pid && ! grep -qs '"done":[1-9]' monday.plan/running.json; do sleep 0.02; done; kill -9 $pid; wait $pid`;

test(
  'a migration works from the first look at the file to the day when only its evidence is left',
  patience,
  async () => {
    const { transcript } = await startShell('pipe', {
      files: {
        'legacy.csv': header + people.map((name) => row(name)).join(''),
        // One user is new, one has another address, one has left.
        'delta.csv':
          header +
          row('person1', 'new@example.com') +
          people
            .slice(1, -1)
            .map((name) => row(name))
            .join('') +
          row('person41'),
        'wrong.csv': header + row('nobody1') + row('nobody2'),
        'password.txt': '123456',
      },
    });
    expect(
      await transcript(`
    tenant-users assess legacy.csv
    tenant-users plan legacy.csv --to friday.plan -q
    tenant-users create --user-name person3 --email person3@example.com -q > made.txt
    tenant-users plan legacy.csv --to monday.plan -q
    tenant-users plan diff friday.plan monday.plan
    openssl genpkey -algorithm ed25519 -out approver.pem && openssl pkey -in approver.pem -pubout -out approver.pub
    tenant-users plan sign monday.plan approver.pem -q --columns directory
  `),
    ).toMatchInlineSnapshot(`
      "$ tenant-users assess legacy.csv
      ┌────────┬───────────────────┬─────────────────────────────────┐
      │ people │ they              │ format                          │
      ├────────┼───────────────────┼─────────────────────────────────┤
      │ 40     │ keep the password │ MD5, hex or NT hash or MD4, hex │
      └────────┴───────────────────┴─────────────────────────────────┘
      legacy.csv: utf-8, comma, 40 rows; columns read: user_name, email, algorithm, hash (as value), pwd_must_modify
      40 of 40 users can keep the password. Every row passes the checks.
      Next: Check the rows as an import does.
        tenant-users import-hashes legacy.csv --dry-run
      $ tenant-users plan legacy.csv --to friday.plan -q
      ┌────────┬──────┬────────┬─────────┬──────────┬────────┬─────────┐
      │ create │ same │ update │ disable │ conflict │ cannot │ invalid │
      ├────────┼──────┼────────┼─────────┼──────────┼────────┼─────────┤
      │ 40     │ 0    │ 0      │ 0       │ 0        │ 0      │ 0       │
      └────────┴──────┴────────┴─────────┴──────────┴────────┴─────────┘
      $ tenant-users create --user-name person3 --email person3@example.com -q > made.txt
      $ tenant-users plan legacy.csv --to monday.plan -q
      ┌────────┬──────┬────────┬─────────┬──────────┬────────┬─────────┐
      │ create │ same │ update │ disable │ conflict │ cannot │ invalid │
      ├────────┼──────┼────────┼─────────┼──────────┼────────┼─────────┤
      │ 39     │ 1    │ 0      │ 0       │ 0        │ 0      │ 0       │
      └────────┴──────┴────────┴─────────┴──────────┴────────┴─────────┘
      $ tenant-users plan diff friday.plan monday.plan
      ┌─────┬──────────────────────────────────┬────────────────┬───────────────────────────────────────────────┐
      │ row │ user_id                          │ before         │ after                                         │
      ├─────┼──────────────────────────────────┼────────────────┼───────────────────────────────────────────────┤
      │ 3   │ 20260102030405678-ABCD-EFGHIJKLM │ create, NOBODY │ same, EQUAL, 20260102030405678-ABCD-EFGHIJKLM │
      └─────┴──────────────────────────────────┴────────────────┴───────────────────────────────────────────────┘
      Totals: create 40 → 39, same 0 → 1
      1 action changed
      $ openssl genpkey -algorithm ed25519 -out approver.pem && openssl pkey -in approver.pem -pubout -out approver.pub
      $ tenant-users plan sign monday.plan approver.pem -q --columns directory
      ┌───────────┬─────────────┐
      │ directory │ monday.plan │
      └───────────┴─────────────┘
      "
    `);
    // How far each run gets depends on time; together they do everything once.
    expect(await transcript(applyAndKill)).toMatch(/\[137\]\n$/);
    expect(
      await transcript('tenant-users import-hashes status monday.plan -q --columns state,rows'),
    ).toMatchInlineSnapshot(`
      "$ tenant-users import-hashes status monday.plan -q --columns state,rows
      ┌───────┬─────────┐
      │ state │ crashed │
      │ rows  │ 40      │
      └───────┴─────────┘
      [7]
      "
    `);
    expect(await transcript(applyAndKill)).toMatch(/\[137\]\n$/);
    expect(
      await transcript(`
    tenant-users apply monday.plan --require-signature approver.pub --yes -q --columns rows,created,existing,pending
    tenant-users compare legacy.csv --job monday.plan
    tenant-users plan delta.csv --since monday.plan --key user_name --update email --to delta.plan -q
    tenant-users apply delta.plan --yes -q
    tenant-users sso ticket person1 --password-file password.txt -q > ticket.txt
    tenant-users cutover monday.plan
    tenant-users import-hashes wrong.csv --yes -q
    tenant-users undo wrong.csv.import --yes -q
    tenant-users evidence monday.plan --to acme.evidence --sign approver.pem -q --columns rows,signed
    TENANT_USERS_BASE_URL=http://127.0.0.1:9 tenant-users evidence verify acme.evidence approver.pub --columns job.rows,job.created,signed
    grep -cE 'person|example' acme.evidence
    tenant-users job purge monday.plan --yes --columns rows,deleted
    grep -rlE 'person[0-9]|example.com' monday.plan
    tenant-users import-hashes status monday.plan -q
    tenant-users apply monday.plan --yes
    tenant-users runs --columns kind,state,runs,rows,done
  `),
    ).toMatchInlineSnapshot(`
      "$ tenant-users apply monday.plan --require-signature approver.pub --yes -q --columns rows,created,existing,pending
      ┌──────┬─────────┬──────────┬─────────┐
      │ rows │ created │ existing │ pending │
      ├──────┼─────────┼──────────┼─────────┤
      │ 40   │ 39      │ 1        │ 0       │
      └──────┴─────────┴──────────┴─────────┘
      $ tenant-users compare legacy.csv --job monday.plan
      legacy.csv: utf-8, comma, 40 rows; columns used: user_name, email, algorithm, hash (as value), pwd_must_modify
      ┌──────┬───────┬──────┬─────────┬─────────┬───────┬───────────┬─────────┐
      │ rows │ users │ same │ differs │ missing │ extra │ ambiguous │ invalid │
      ├──────┼───────┼──────┼─────────┼─────────┼───────┼───────────┼─────────┤
      │ 40   │ 40    │ 40   │ 0       │ 0       │ 0     │ 0         │ 0       │
      └──────┴───────┴──────┴─────────┴─────────┴───────┴───────────┴─────────┘
      Report: legacy.csv.compare/report.html
      $ tenant-users plan delta.csv --since monday.plan --key user_name --update email --to delta.plan -q
      ┌────────┬──────┬────────┬─────────┬──────────┬────────┬─────────┐
      │ create │ same │ update │ disable │ conflict │ cannot │ invalid │
      ├────────┼──────┼────────┼─────────┼──────────┼────────┼─────────┤
      │ 1      │ 39   │ 1      │ 0       │ 0        │ 0      │ 0       │
      └────────┴──────┴────────┴─────────┴──────────┴────────┴─────────┘
      $ tenant-users apply delta.plan --yes -q
      ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
      │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │ unknown │ pending │
      ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
      │ 41   │ 1       │ 1       │ 0        │ 39       │ 0        │ 0      │ 0       │ 0       │ 0       │
      └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
      $ tenant-users sso ticket person1 --password-file password.txt -q > ticket.txt
      $ tenant-users cutover monday.plan
      ┌───────────┬─────────┬───────────┬───────┬──────────┬─────────┬─────────────┐
      │ algorithm │ created │ logged_in │ never │ disabled │ percent │ out_of_line │
      ├───────────┼─────────┼───────────┼───────┼──────────┼─────────┼─────────────┤
      │ md5       │ 39      │ 1         │ 38    │ 0        │ 2.5     │             │
      └───────────┴─────────┴───────────┴───────┴──────────┴─────────┴─────────────┘
      2026-01-02T03:04:05.678Z: 1 of 39 users logged in, 38 never
      All passwords have one algorithm: there is nothing to compare it with.
      $ tenant-users import-hashes wrong.csv --yes -q
      ┌──────┬─────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
      │ rows │ created │ existing │ conflict │ failed │ invalid │ unknown │ pending │
      ├──────┼─────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
      │ 2    │ 2       │ 0        │ 0        │ 0      │ 0       │ 0       │ 0       │
      └──────┴─────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
      $ tenant-users undo wrong.csv.import --yes -q
      ┌──────┬─────────┬─────────┬──────────┬──────────┬──────────┬────────┬─────────┬─────────┬─────────┐
      │ rows │ created │ updated │ disabled │ existing │ conflict │ failed │ invalid │ unknown │ pending │
      ├──────┼─────────┼─────────┼──────────┼──────────┼──────────┼────────┼─────────┼─────────┼─────────┤
      │ 2    │ 0       │ 0       │ 2        │ 0        │ 0        │ 0      │ 0       │ 0       │ 0       │
      └──────┴─────────┴─────────┴──────────┴──────────┴──────────┴────────┴─────────┴─────────┴─────────┘
      $ tenant-users evidence monday.plan --to acme.evidence --sign approver.pem -q --columns rows,signed
      ┌────────┬──────┐
      │ rows   │ 40   │
      │ signed │ true │
      └────────┴──────┘
      $ TENANT_USERS_BASE_URL=http://127.0.0.1:9 tenant-users evidence verify acme.evidence approver.pub --columns job.rows,job.created,signed
      ┌─────────────┬──────┐
      │ job.rows    │ 40   │
      │ job.created │ 39   │
      │ signed      │ true │
      └─────────────┴──────┘
      The evidence is complete and unchanged: 40 rows of the job of legacy.csv
      Target: http://127.0.0.1:12345, client id test-application
      $ grep -cE 'person|example' acme.evidence
      0
      [1]
      $ tenant-users job purge monday.plan --yes --columns rows,deleted
      ┌─────────┬───────────────────────────────────────────────────────────────────────────────────┐
      │ rows    │ 40                                                                                │
      │ deleted │ ["actions.jsonl","failures.csv","plan.html","plan.key","report.html","users.csv"] │
      └─────────┴───────────────────────────────────────────────────────────────────────────────────┘
      Not deleted: legacy.csv, legacy.csv.compare, beside the directory. Delete yourself what names people
      Next:
        tenant-users evidence verify monday.plan/evidence.jsonl
      $ grep -rlE 'person[0-9]|example.com' monday.plan
      [1]
      $ tenant-users import-hashes status monday.plan -q
      ┌──────────┬────────┐
      │ state    │ purged │
      │ rows     │ 40     │
      │ created  │ 39     │
      │ existing │ 1      │
      └──────────┴────────┘
      $ tenant-users apply monday.plan --yes
      Target: http://127.0.0.1:12345 (client id test-application)
      tenant-users: monday.plan: the personal data of this plan was deleted at 2026-01-02T03:04:05.678Z
      Make a new one, in another directory (--to): the tenant has changed since this plan was made.
      [3]
      $ tenant-users runs --columns kind,state,runs,rows,done
      ┌────────────┬──────────┬──────┬──────┬──────┐
      │ kind       │ state    │ runs │ rows │ done │
      ├────────────┼──────────┼──────┼──────┼──────┤
      │ plan       │ finished │ 2    │ 2    │ 2    │
      │ import     │ finished │ 1    │ 2    │ 2    │
      │ plan       │ finished │ 2    │ 41   │ 41   │
      │ comparison │ finished │ 1    │ 40   │      │
      │ plan       │ purged   │ 4    │ 40   │ 40   │
      │ plan       │ planned  │ 1    │ 40   │      │
      └────────────┴──────────┴──────┴──────┴──────┘
      "
    `);
  },
);
