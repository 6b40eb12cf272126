import { execFileSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAuditLog } from '../../../src/service/audit/audit-log.ts';
import { linesOf } from '../../../src/service/audit/line-writer.ts';
import { unprivileged } from '../../unprivileged.mjs';
import { temporaryDirectory } from '../../world.ts';

const now = () => Date.UTC(2026, 10, 22, 9, 30);
const line = (event: string) => `{"time":"2026-11-22T09:30:00.000Z","event":"${event}","outcome":"done"}\n`;

async function startLog(before?: string, owner?: { uid: number; gid: number }) {
  const directory = await temporaryDirectory();
  if (owner) chownSync(directory, owner.uid, owner.gid);
  const file = join(directory, 'audit.jsonl');
  if (before !== undefined) writeFileSync(file, before);
  const reports: unknown[] = [];
  const log = openAuditLog({ file, ...(owner ? { owner } : {}) }, now, (error) => reports.push(error));
  onTestFinished(() => void log.close());
  const record = (event: 'createUser' | 'updateUser' | 'disableUser') =>
    new Promise<void>((resolve) => log.record({ event, outcome: 'done' }, resolve));
  return { file, log, reports, record, text: () => readFileSync(file, 'utf8') };
}

test('a line is in the file before its event is answered, and only the owner of the file can read it', async () => {
  const { file, record, text } = await startLog();
  const both = [record('createUser'), record('updateUser')];
  expect(text()).toBe('');
  await Promise.all(both);
  expect(text()).toBe(line('createUser') + line('updateUser'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('the log continues after the existing lines, and ends a line that was cut off', async () => {
  const { record, text } = await startLog(`${line('createUser')}{"time":"2026-11`);
  await record('updateUser');
  expect(text()).toBe(`${line('createUser')}{"time":"2026-11\n${line('updateUser')}`);
});

test('after the log file was moved away, the log continues in a new file', async () => {
  const { file, record, text } = await startLog();
  await record('createUser');
  renameSync(file, `${file}.1`);
  await record('updateUser');
  expect(readFileSync(`${file}.1`, 'utf8')).toBe(line('createUser'));
  expect(text()).toBe(line('updateUser'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

const nobody = unprivileged();

test.skipIf(nobody === undefined)(
  'a log that root writes belongs to its owner, also after it was moved away',
  async () => {
    // For all threads of the process, whose other files would be those of another account for a moment.
    const switched = vi.spyOn(process, 'seteuid');
    onTestFinished(() => switched.mockRestore());
    const { file, record, text } = await startLog(undefined, nobody);
    await record('createUser');
    renameSync(file, `${file}.1`);
    await record('updateUser');
    expect(text()).toBe(line('updateUser'));
    for (const path of [`${file}.1`, file])
      expect(statSync(path)).toMatchObject({ ...nobody, mode: 0o100600 });
    expect(switched).not.toHaveBeenCalled();
  },
);

test.skipIf(nobody === undefined)(
  'root follows no link of the owner, and writes to no file of another account',
  async () => {
    const { file, log, record, text } = await startLog(undefined, nobody);
    const elsewhere = join(await temporaryDirectory(), 'cron');
    unlinkSync(file);
    symlinkSync(elsewhere, file);
    await record('createUser');
    expect(log.fault()).toMatchObject({ name: 'AuditError', code: 'ELOOP' });
    expect(existsSync(elsewhere)).toBe(false);
    unlinkSync(file);
    writeFileSync(file, 'of root\n');
    await record('updateUser');
    expect(log.fault()?.cause).toMatchObject({
      name: 'ForeignFileError',
      message: 'it belongs to another account than the database',
    });
    expect(text()).toBe('of root\n');
    unlinkSync(file);
    await record('disableUser');
    expect(log.fault()).toBeUndefined();
    expect(text()).toBe(line('createUser') + line('updateUser') + line('disableUser'));
  },
);

test.skipIf(nobody === undefined)(
  'root waits for no reader of a pipe that the owner put in the place of the log',
  async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'audit.jsonl');
    execFileSync('mkfifo', [file]);
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(reader));
    chownSync(file, nobody?.uid ?? 0, nobody?.gid ?? 0);
    const open = () => openAuditLog({ file, ...(nobody ? { owner: nobody } : {}) }, now, () => {});
    expect(open).toThrow(
      expect.objectContaining({ name: 'AuditError', cause: new Error('it is no regular file') }),
    );
  },
);

test.skipIf(process.platform === 'win32')('a pipe whose reader is gone is a fault of the log', async () => {
  const file = join(await temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [file]);
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const log = openAuditLog({ file }, now, () => {});
  onTestFinished(() => void log.close());
  const record = () =>
    new Promise<void>((resolve) => log.record({ event: 'createUser', outcome: 'done' }, resolve));
  await record();
  expect(log.fault()).toBeUndefined();
  closeSync(reader);
  await record();
  expect(log.fault()).toMatchObject({ name: 'AuditError', code: 'EPIPE' });
});

test.skipIf(process.platform === 'win32')(
  'a stream that nobody reads is a fault of the log, and its lines are kept until there is room',
  async () => {
    const file = join(await temporaryDirectory(), 'pipe');
    execFileSync('mkfifo', [file]);
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    onTestFinished(() => [reader, fd].forEach((one) => void closeSync(one)));
    const write = vi.fn();
    const log = openAuditLog({ to: linesOf({ write, fd }) }, now, () => {});
    let recorded = 0;
    while (!log.fault() && recorded < 10_000) {
      recorded += 1;
      await new Promise<void>((resolve) => log.record({ event: 'createUser', outcome: 'done' }, resolve));
    }
    expect(log.fault()).toMatchObject({ name: 'AuditError', code: 'EAGAIN' });
    const room = Buffer.alloc(1 << 20);
    const before = readSync(reader, room);
    expect(log.fault()).toBeUndefined();
    const size = before + readSync(reader, room, { offset: before });
    expect(room.toString('utf8', 0, size)).toBe(line('createUser').repeat(recorded));
    expect(write).not.toHaveBeenCalled();
  },
);

// Every write to this device fails as on a full disk.
test.skipIf(process.platform !== 'linux')(
  'a line that cannot be written is kept, and written as soon as there is room',
  async () => {
    const { file, log, reports, record, text } = await startLog();
    unlinkSync(file);
    symlinkSync('/dev/full', file);
    await record('createUser');
    await record('updateUser');
    const fault = { name: 'AuditError', code: 'ENOSPC' };
    expect(log.fault()).toMatchObject(fault);
    expect(reports).toMatchObject([fault]);
    unlinkSync(file);
    await record('disableUser');
    expect(log.fault()).toBeUndefined();
    expect(text()).toBe(line('createUser') + line('updateUser') + line('disableUser'));
  },
);

test('the error names a file that cannot be opened', async () => {
  const inTheWay = join(await temporaryDirectory(), 'file');
  writeFileSync(inTheWay, '');
  const target = { file: join(inTheWay, 'audit.jsonl') };
  expect(() => openAuditLog(target, now, () => {})).toThrow(`the audit log ${target.file} cannot be written`);
});
