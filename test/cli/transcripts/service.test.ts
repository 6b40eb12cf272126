import { expect, test } from 'vitest';
import { terminalTest } from '../process/start-terminal.ts';
import { sessions } from './sessions.ts';
import { type Place, patience, playSession } from './start-shell.ts';

const play = (place: Place) => playSession(place, sessions.service);

test('the transcript in a pipe is right', patience, async () => {
  expect(await play('pipe')).toMatchInlineSnapshot(`
    "$ tenant-users schema ensure --line
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:tenant-users:schema:users-ensure:line:1",
      "$comment": "version 1.0; fields may be added (1.1, …), none is taken away. Not for --columns.",
      "title": "What became of the user: a line of -o jsonl",
      "type": "object",
      "properties": {
        "user_id": {
          "type": "string"
        },
        "action": {
          "enum": [
            "created",
            "updated",
            "unchanged"
          ],
          "type": "string"
        },
        "fields": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "that were updated"
        }
      },
      "required": [
        "user_id",
        "action",
        "fields"
      ],
      "additionalProperties": false
    }
    $ tenant-users completion tcsh
    tenant-users: invalid shell "tcsh": must be one of bash, zsh, fish, powershell
    Add --help to see how it is used.
    [2]
    $ tenant-users help exit-codes | head -5
    A code never changes its meaning. It is never 0 when a row failed, or a listing may be incomplete.

    0
        Everything asked for was done. Nothing to do.
    1
    $ tenant-users help environments
    tenant-users: unknown command 'environments'
    Add --help to see the commands.
    [2]
    $ tenant-users tenant check acme.json
    acme.json is valid (tenant acme)
    $ tenant-users tenant check faulty.json
    tenant-users: faulty.json is not a valid tenant definition, 1 error:
      pasword: unknown key (did you mean password?)
    Nothing was applied. For a complete example: tenant-users tenant show --local :memory:
    [2]
    $ tenant-users tenant apply faulty.json --local tenant.db
    tenant-users: faulty.json is not a valid tenant definition, 1 error:
      pasword: unknown key (did you mean password?)
    Nothing was applied. For a complete example: tenant-users tenant show --local :memory:
    [2]
    $ tenant-users tenant apply acme.json --local tenant.db
    Target: database tenant.db (tenant acme)
    New empty database: tenant.db
    Applied to tenant acme in tenant.db; restart serve if it is running
    $ tenant-users tenant show --local tenant.db | head -3
    {
      "tenant_id": "acme",
      "time_zone": "UTC",
    $ tenant-users tenant show nobody --local tenant.db
    tenant-users: tenant.db has no tenant "nobody"
    Run: tenant-users --local tenant.db tenant show acme
    [2]
    $ tenant-users tenant copy copied.db --local tenant.db
    Target: database copied.db, from tenant.db
    Copied 2 rows of acme to copied.db, and compared them
    What is written to tenant.db from now on is not in the copy
    $ tenant-users tenant learn --local tenant.db --output-file learned.json
    Learned from 0 users; review 2 comments marked "Check:"
    $ tenant-users tenant check learned.json
    learned.json is valid (tenant learned)
    $ tenant-users serve --host 0.0.0.0
    tenant-users: 0.0.0.0 is not a loopback address, and TLS is not configured
    Listen on 127.0.0.1, use --tls-cert and --tls-key, or add --insecure-http behind a proxy that terminates TLS.
    [2]
    $ tenant-users serve --tls-cert missing.pem
    tenant-users: --tls-key is missing
    Use --tls-cert and --tls-key together.
    [2]
    $ tenant-users mcp
    "
  `);
});

terminalTest('the transcript on a terminal is right', patience, async () => {
  expect(await play('terminal')).toMatchInlineSnapshot(`
    "$ tenant-users schema ensure --line
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:tenant-users:schema:users-ensure:line:1",
      "$comment": "version 1.0; fields may be added (1.1, …), none is taken away. No
    t for --columns.",
      "title": "What became of the user: a line of -o jsonl",
      "type": "object",
      "properties": {
        "user_id": {
          "type": "string"
        },
        "action": {
          "enum": [
            "created",
            "updated",
            "unchanged"
          ],
          "type": "string"
        },
        "fields": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "that were updated"
        }
      },
      "required": [
        "user_id",
        "action",
        "fields"
      ],
      "additionalProperties": false
    }
    $ tenant-users completion tcsh
    tenant-users: invalid shell "tcsh": must be one of bash, zsh, fish, powershell
    Add --help to see how it is used.
    [2]
    $ tenant-users help exit-codes | head -5
    A code never changes its meaning. It is never 0 when a row failed, or a listing
    may be incomplete.

    0
        Everything asked for was done. Nothing to do.
    1
    $ tenant-users help environments
    tenant-users: unknown command 'environments'
    Add --help to see the commands.
    [2]
    $ tenant-users tenant check acme.json
    acme.json is valid (tenant acme)
    $ tenant-users tenant check faulty.json
    tenant-users: faulty.json is not a valid tenant definition, 1 error:
      pasword: unknown key (did you mean password?)
    Nothing was applied. For a complete example:
    tenant-users tenant show --local :memory:
    [2]
    $ tenant-users tenant apply faulty.json --local tenant.db
    tenant-users: faulty.json is not a valid tenant definition, 1 error:
      pasword: unknown key (did you mean password?)
    Nothing was applied. For a complete example:
    tenant-users tenant show --local :memory:
    [2]
    $ tenant-users tenant apply acme.json --local tenant.db
    Target: database tenant.db (tenant acme)
    New empty database: tenant.db
    Applied to tenant acme in tenant.db; restart serve if it is running
    $ tenant-users tenant show --local tenant.db | head -3
    {
      "tenant_id": "acme",
      "time_zone": "UTC",
    $ tenant-users tenant show nobody --local tenant.db
    tenant-users: tenant.db has no tenant "nobody"
    Run: tenant-users --local tenant.db tenant show acme
    [2]
    $ tenant-users tenant copy copied.db --local tenant.db
    Target: database copied.db, from tenant.db
    Copied 2 rows of acme to copied.db, and compared them
    What is written to tenant.db from now on is not in the copy
    $ tenant-users tenant learn --local tenant.db --output-file learned.json
    Learned from 0 users; review 2 comments marked "Check:"
    $ tenant-users tenant check learned.json
    learned.json is valid (tenant learned)
    $ tenant-users serve --host 0.0.0.0
    tenant-users: 0.0.0.0 is not a loopback address, and TLS is not configured
    Listen on 127.0.0.1, use --tls-cert and --tls-key, or add --insecure-http behind
    a proxy that terminates TLS.
    [2]
    $ tenant-users serve --tls-cert missing.pem
    tenant-users: --tls-key is missing
    Use --tls-cert and --tls-key together.
    [2]
    $ tenant-users mcp
    tenant-users: mcp must be started by an agent, but standard input is a terminal
    Name this command in the settings of your agent: docs/guide/agents.md
    [2]
    "
  `);
});
