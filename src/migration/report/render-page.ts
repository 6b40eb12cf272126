import { hideCredentials } from '../../text/redact.ts';
import { type Html, html, plainText } from './html.ts';
import { styles } from './styles.ts';
import type { Verdict } from './verdict.ts';

/** How every page begins, which tells it from the pages of others. */
export const pageBegin = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="tenant-users">
`;

/** Renders a page that needs nothing else, neither network nor scripts. */
export function renderPage(page: { title: string; heading: Html; note: string; body: Html }): string {
  return `${pageBegin}${plainText(html`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
<style>${styles}</style>
</head>
<body>
<header>
<p class="note">tenant-users · report</p>
<h1>${page.heading}</h1>
<p class="note">${page.note}</p>
</header>
${page.body}</body>
</html>
`)}`;
}

/** Renders the verdict, which comes first on the page. */
export function verdictSection({ tone, label, headline, meaning, caveats }: Verdict): Html {
  return html`<section class="verdict ${tone}" aria-labelledby="verdict">
${label ? html`<p class="label">${label}</p>\n` : undefined}<h2 id="verdict">${headline}</h2>
<p>${meaning}</p>
${caveats.length > 0 ? html`<ul>${caveats.map((caveat) => html`<li>${caveat}</li>`)}</ul>\n` : undefined}</section>
`;
}

const labels: Record<string, string> = {
  base_url: 'Base URL',
  client_id: 'Client id',
  database: 'Embedded database',
};

export function targetFacts(target: Readonly<Record<string, string>>): [string, Html][] {
  return Object.entries(target).map(([name, value]) => [
    Object.hasOwn(labels, name) ? (labels[name] ?? name) : name,
    html`<bdi>${hideCredentials(value)}</bdi>`,
  ]);
}

/** A fact of a footer, with its name; any other value adds nothing. */
export type FooterFact = readonly [name: string, value: Html] | false | undefined;

/** Renders the footer, which says where everything comes from. */
export function footerOf(title: string, facts: readonly FooterFact[], note: string): Html {
  return html`<footer>
<h2>${title}</h2>
<dl>${facts.map((fact) => (fact ? html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>\n` : undefined))}</dl>
<p class="note">${note}</p>
</footer>
`;
}
