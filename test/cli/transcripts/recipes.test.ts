import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.recipes);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users template
    user_name,name,mobile,email,attr_gender,attr_birthday,attr_nick_name,mailing_address,zip_code,first_name,middle_name,last_name,industry,external_id,head_img,pwd_must_modify,algorithm,hash,key
    Extension attributes of your tenant are columns extension.KEY; --tenant FILE adds them.
    $ tenant-users template -o table --columns name
    ┌─────────────────┐
    │ name            │
    ├─────────────────┤
    │ user_name       │
    │ name            │
    │ mobile          │
    │ email           │
    │ attr_gender     │
    │ attr_birthday   │
    │ attr_nick_name  │
    │ mailing_address │
    │ zip_code        │
    │ first_name      │
    │ middle_name     │
    │ last_name       │
    │ industry        │
    │ external_id     │
    │ head_img        │
    │ pwd_must_modify │
    │ algorithm       │
    │ hash            │
    │ key             │
    └─────────────────┘
    Extension attributes of your tenant are columns extension.KEY; --tenant FILE adds them.
    $ tenant-users assess legacy.csv
    ┌────────┬───────────────────┬─────────────────────────────────┐
    │ people │ they              │ format                          │
    ├────────┼───────────────────┼─────────────────────────────────┤
    │ 2      │ keep the password │ MD5, hex or NT hash or MD4, hex │
    │ 1      │ not known         │ no known form                   │
    └────────┴───────────────────┴─────────────────────────────────┘
    ┌────────────┬──────┐
    │ issue      │ rows │
    ├────────────┼──────┤
    │ HASH_SHAPE │ 1    │
    └────────────┴──────┘
    legacy.csv: utf-8, comma, 3 rows; columns read: user_name, algorithm, hash (as value), pwd_must_modify
    Warning: 1 user must change the password at the first login by the default of the API. To let them keep it, add --set pwd_must_modify=false.
    2 of 3 users can keep the password. 2 rows would be imported; 1 would be rejected as they are.
    Next: Check the rows as an import does.
      tenant-users import-hashes legacy.csv --dry-run
    $ tenant-users recipe list
    ┌──────────────┬────────────────────────────────────────────────────┐
    │ name         │ title                                              │
    ├──────────────┼────────────────────────────────────────────────────┤
    │ auth0        │ Auth0, export of users with password hashes        │
    │ chinese      │ CSV with Chinese names of columns                  │
    │ clerk        │ Clerk, export of users as CSV                      │
    │ cognito      │ Amazon Cognito, JSON of list-users or CSV of users │
    │ devise       │ Devise (Ruby on Rails), table of users             │
    │ discourse    │ Discourse, table of users                          │
    │ django       │ Django, table auth_user                            │
    │ drupal       │ Drupal, table users_field_data                     │
    │ firebase     │ Firebase Authentication, auth:export to JSON       │
    │ firebase-csv │ Firebase Authentication, auth:export to CSV        │
    │ keycloak     │ Keycloak, export of a realm                        │
    │ laravel      │ Laravel, table users                               │
    │ ldap         │ LDAP directory, LDIF or CSV                        │
    │ okta         │ Okta, users of its API or CSV of people            │
    │ ruoyi        │ RuoYi, table sys_user                              │
    │ supabase     │ Supabase, table auth.users                         │
    │ wordpress    │ WordPress, table wp_users                          │
    └──────────────┴────────────────────────────────────────────────────┘
    $ tenant-users recipe show okta | head -6
    # Okta: the answer of its API (/api/v1/users), or the columns of its CSV template of people. Okta gives no hash away, so that every user is created without a password:
    # add --allow-passwordless.
    title: Okta, users of its API or CSV of people
    detect: [[login, profile.login], [firstName, profile.firstName], [lastName, profile.lastName], [email, profile.email]]
    optional_columns: true
    fields:
    $ tenant-users recipe make legacy.csv
    # legacy.csv: utf-8, comma, 3 rows. Made by tenant-users recipe make; look through it.
    # Decide each in the recipe, then delete it here: no import and no plan before.
    open:
      - "pwd_must_modify has no value in 2 rows: say whether these people must change the password with default:, or they must"
    from: csv
    fields:
      user_name: { column: user_name } # 100 %: aaa
      pwd_must_modify: { column: pwd_must_modify } # 33.3 %: aaaaa
    password: { column: hash, algorithm: { infer: true } } # 100 %: 2 md5, 1 of no known form
    # Not used: algorithm (100 %)
    legacy.csv: utf-8, comma, 3 rows
    Warning: pwd_must_modify has no value in 2 rows: say whether these people must change the password with default:, or they must
    1 question of the recipe is open: decide each in the recipe, then delete it from open:. No import and no plan before.
    $ tenant-users recipe check mine.yaml legacy.csv
    mine.yaml is valid; 1 example came out as written
    legacy.csv: 3 rows; fields: user_name (from user_name), value (from hash)
    Columns that the recipe does not use: algorithm, pwd_must_modify
    $ tenant-users recipe check wrong.yaml
    tenant-users: wrong.yaml is not a valid recipe, 1 error:
      line 2, fields.user_name.colum: there is no such key
    Nothing was sent. Its schema: tenant-users schema recipe. A complete one: tenant-users recipe show django
    [2]
    $ (echo 'open: [enc may say who is disabled]'; cat mine.yaml) | tenant-users import-hashes legacy.csv --recipe - --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: standard input: 1 question of the recipe is open:
      enc may say who is disabled
    Nothing was sent. Decide each in the recipe, then delete it from open:.
    [2]
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users template
    user_name,name,mobile,email,attr_gender,attr_birthday,attr_nick_name,mailing_add
    ress,zip_code,first_name,middle_name,last_name,industry,external_id,head_img,pwd
    _must_modify,algorithm,hash,key
    Extension attributes of your tenant are columns extension.KEY; --tenant FILE
    adds them.
    $ tenant-users template -o table --columns name
    ┌─────────────────┐
    │ name            │
    ├─────────────────┤
    │ user_name       │
    │ name            │
    │ mobile          │
    │ email           │
    │ attr_gender     │
    │ attr_birthday   │
    │ attr_nick_name  │
    │ mailing_address │
    │ zip_code        │
    │ first_name      │
    │ middle_name     │
    │ last_name       │
    │ industry        │
    │ external_id     │
    │ head_img        │
    │ pwd_must_modify │
    │ algorithm       │
    │ hash            │
    │ key             │
    └─────────────────┘
    Extension attributes of your tenant are columns extension.KEY; --tenant FILE
    adds them.
    $ tenant-users assess legacy.csv
    ┌────────┬───────────────────┬─────────────────────────────────┐
    │ people │ they              │ format                          │
    ├────────┼───────────────────┼─────────────────────────────────┤
    │ 2      │ keep the password │ MD5, hex or NT hash or MD4, hex │
    │ 1      │ not known         │ no known form                   │
    └────────┴───────────────────┴─────────────────────────────────┘
    ┌────────────┬──────┐
    │ issue      │ rows │
    ├────────────┼──────┤
    │ HASH_SHAPE │ 1    │
    └────────────┴──────┘
    legacy.csv: utf-8, comma, 3 rows; columns read: user_name, algorithm, hash (as
    value), pwd_must_modify
    Warning: 1 user must change the password at the first login by the default of
    the API. To let them keep it, add --set pwd_must_modify=false.
    2 of 3 users can keep the password. 2 rows would be imported; 1 would be
    rejected as they are.
    Next: Check the rows as an import does.
      tenant-users import-hashes legacy.csv --dry-run
    $ tenant-users recipe list
    ┌──────────────┬────────────────────────────────────────────────────┐
    │ name         │ title                                              │
    ├──────────────┼────────────────────────────────────────────────────┤
    │ auth0        │ Auth0, export of users with password hashes        │
    │ chinese      │ CSV with Chinese names of columns                  │
    │ clerk        │ Clerk, export of users as CSV                      │
    │ cognito      │ Amazon Cognito, JSON of list-users or CSV of users │
    │ devise       │ Devise (Ruby on Rails), table of users             │
    │ discourse    │ Discourse, table of users                          │
    │ django       │ Django, table auth_user                            │
    │ drupal       │ Drupal, table users_field_data                     │
    │ firebase     │ Firebase Authentication, auth:export to JSON       │
    │ firebase-csv │ Firebase Authentication, auth:export to CSV        │
    │ keycloak     │ Keycloak, export of a realm                        │
    │ laravel      │ Laravel, table users                               │
    │ ldap         │ LDAP directory, LDIF or CSV                        │
    │ okta         │ Okta, users of its API or CSV of people            │
    │ ruoyi        │ RuoYi, table sys_user                              │
    │ supabase     │ Supabase, table auth.users                         │
    │ wordpress    │ WordPress, table wp_users                          │
    └──────────────┴────────────────────────────────────────────────────┘
    $ tenant-users recipe show okta | head -6
    # Okta: the answer of its API (/api/v1/users), or the columns of its CSV templat
    e of people. Okta gives no hash away, so that every user is created without a pa
    ssword:
    # add --allow-passwordless.
    title: Okta, users of its API or CSV of people
    detect: [[login, profile.login], [firstName, profile.firstName], [lastName, prof
    ile.lastName], [email, profile.email]]
    optional_columns: true
    fields:
    $ tenant-users recipe make legacy.csv
    # legacy.csv: utf-8, comma, 3 rows. Made by tenant-users recipe make; look throu
    gh it.
    # Decide each in the recipe, then delete it here: no import and no plan before.
    open:
      - "pwd_must_modify has no value in 2 rows: say whether these people must chang
    e the password with default:, or they must"
    from: csv
    fields:
      user_name: { column: user_name } # 100 %: aaa
      pwd_must_modify: { column: pwd_must_modify } # 33.3 %: aaaaa
    password: { column: hash, algorithm: { infer: true } } # 100 %: 2 md5, 1 of no k
    nown form
    # Not used: algorithm (100 %)
    legacy.csv: utf-8, comma, 3 rows
    Warning: pwd_must_modify has no value in 2 rows: say whether these people must
    change the password with default:, or they must
    1 question of the recipe is open: decide each in the recipe, then delete it from
    open:. No import and no plan before.
    $ tenant-users recipe check mine.yaml legacy.csv
    mine.yaml is valid; 1 example came out as written
    legacy.csv: 3 rows; fields: user_name (from user_name), value (from hash)
    Columns that the recipe does not use: algorithm, pwd_must_modify
    $ tenant-users recipe check wrong.yaml
    tenant-users: wrong.yaml is not a valid recipe, 1 error:
      line 2, fields.user_name.colum: there is no such key
    Nothing was sent. Its schema:
    tenant-users schema recipe. A complete one: tenant-users recipe show django
    [2]
    $ (echo 'open: [enc may say who is disabled]'; cat mine.yaml) | tenant-users import-hashes legacy.csv --recipe - --yes
    Target: http://127.0.0.1:12345 (client id test-application)
    tenant-users: standard input: 1 question of the recipe is open:
      enc may say who is disabled
    Nothing was sent. Decide each in the recipe, then delete it from open:.
    [2]
    "
  `);
});
