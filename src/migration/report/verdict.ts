import { type HashAlgorithm, hashAlgorithms } from '../../contract/attributes.ts';
import type { Summary } from '../model/summary.ts';
import { counted, listed, shownCount } from './format.ts';
import type { CanaryResult, ReportData } from './report-data.ts';

/** What an import came to, in words. */
export interface Verdict {
  tone: 'good' | 'partly' | 'bad' | 'rehearsed';
  /** Of a run that wrote to no tenant: said above everything else. */
  label?: string;
  headline: string;
  meaning: string;
  /** What a reader must know besides. */
  caveats: string[];
}

const results = ['created', 'existing', 'conflict', 'failed', 'invalid', 'unknown', 'pending'] as const;

/** Finds the words for what a job came to. */
export function verdictOf(data: ReportData): Verdict {
  const { summary, canaries = [] } = data;
  const words = summary.dry_run ? dryRun(data) : settled(data);
  const isWrong = sumOf(summary) !== summary.rows || canaries.some(({ tried, matched }) => matched < tried);
  return { ...words, ...(isWrong ? { tone: 'bad' } : {}), caveats: caveatsOf(data) };
}

function dryRun({ summary, isStopped }: ReportData): Omit<Verdict, 'caveats'> {
  const { rows, pending } = summary;
  const found = rows - pending;
  const label = 'Dry run: nothing was sent';
  const rest =
    'No user was made and the tenant was not asked: it may still refuse rows that pass, for example where a user name is taken.';
  if (isStopped) {
    return {
      tone: 'partly',
      label,
      headline: `The check was stopped; ${counted(found, 'row')} had findings by then.`,
      meaning: `Of the other ${counted(pending, 'row')} some passed and some were never read. ${rest}`,
    };
  }
  return {
    tone: found === 0 ? 'rehearsed' : 'partly',
    label,
    headline:
      found === 0
        ? `${allRows(rows)} passed the checks.`
        : `${shownCount(pending)} of ${counted(rows, 'row')} passed the checks; ${shownCount(found)} did not.`,
    meaning: rest,
  };
}

function settled(data: ReportData): Omit<Verdict, 'caveats'> {
  const { rows, created, existing, conflict, failed, invalid, unknown, pending, rehearsal } = data.summary;
  const users = created + existing;
  const refused = conflict + failed + invalid;
  const are = (count: number) => (count === 1 ? 'is' : 'are');
  const were = (count: number) => (count === 1 ? 'was' : 'were');
  const others = [
    ...(refused > 0 ? [`${shownCount(refused)} ${are(refused)} not`] : []),
    ...(unknown > 0 ? [`${shownCount(unknown)} may or may not be`] : []),
    ...(pending > 0 ? [`${shownCount(pending)} ${were(pending)} not sent`] : []),
  ];
  const first =
    users === rows
      ? `${allRows(rows)} ${rows === 1 ? 'is a user' : 'are users'}`
      : `${shownCount(users)} of ${counted(rows, 'row')} ${are(users)} ${users === 1 ? 'a user' : 'users'}`;
  const headline = rows === 0 ? 'The file has no data rows.' : `${[first, ...others].join('; ')}.`;
  const was = [
    ...(created > 0 ? [`${counted(created, 'user')} ${were(created)} created`] : []),
    ...(existing > 0
      ? [`${counted(existing, 'user')} ${were(existing)} there before, as the same person`]
      : []),
  ];
  const meaning = [
    was.length > 0 ? `${listed(was)}.` : 'No user was made.',
    pending > 0 ? 'The import is not complete; what was done is kept, and it can go on.' : '',
    refused > 0 ? 'Rows that are not users were left out whole; none was written in part.' : '',
    unknown > 0 ? 'Rows without an answer must be looked up before anything else is done with them.' : '',
  ].filter(Boolean);
  const tone = users === rows ? 'good' : users === 0 || unknown > 0 ? 'bad' : 'partly';
  if (!rehearsal) return { tone, headline, meaning: meaning.join(' ') };
  return {
    tone: tone === 'good' ? 'rehearsed' : tone,
    label: 'Rehearsal: no tenant was written to',
    headline:
      rows === 0
        ? headline
        : `In the rehearsal ${headline.replace(/^The|^All/, (word) => word.toLowerCase())}`,
    meaning: `This is about a temporary service on this machine, which is gone; on the tenant nothing has changed. ${meaning.join(' ')}`,
  };
}

function allRows(rows: number): string {
  return rows === 1 ? 'The one row' : `All ${counted(rows, 'row')}`;
}

function caveatsOf({ summary, canaries = [], shares }: ReportData): string[] {
  const sum = sumOf(summary);
  const unproven = unprovenOf(summary, canaries);
  const wrong = canaries.filter(({ tried, matched }) => matched < tried);
  return [
    ...(sum === summary.rows
      ? []
      : [
          `The counts come to ${shownCount(sum)}, not to ${counted(summary.rows, 'row')}: do not rely on this report.`,
        ]),
    ...wrong.map(
      ({ algorithm, tried, matched }) =>
        `${algorithm}: ${matchedOf(tried, matched)}. Its users may not be able to log in.`,
    ),
    ...(unproven.length > 0
      ? [
          `Unproven: ${listed(unproven)}. No known password was tried, so nothing shows yet that users with these hashes can log in.`,
        ]
      : []),
    ...(summary.shard ? [`This is share ${summary.shard} of the file only.`] : []),
    ...(shares ? [`These books were joined from those of ${counted(shares, 'share')} of the file.`] : []),
  ];
}

function matchedOf(tried: number, matched: number): string {
  if (tried === 1) return 'the one known password that was tried did not match';
  return `${matched === 0 ? 'none' : `only ${shownCount(matched)}`} of ${shownCount(tried)} known passwords matched`;
}

function sumOf(summary: Summary): number {
  return results.reduce((sum, result) => sum + summary[result], 0);
}

/** Algorithms that the file has, or that known passwords were tried for. */
export function algorithmsOf(summary: Summary, canaries: readonly CanaryResult[]): HashAlgorithm[] {
  return hashAlgorithms.filter(
    (name) => summary.by_algorithm[name] ?? canaries.find(({ algorithm }) => algorithm === name),
  );
}

/** Algorithms of which no known password was tried. */
export function unprovenOf(summary: Summary, canaries: readonly CanaryResult[]): HashAlgorithm[] {
  return algorithmsOf(summary, canaries).filter(
    (name) => !canaries.some(({ algorithm, tried }) => algorithm === name && tried > 0),
  );
}
