// The licences of the packages that a bundle has in it, in one file beside it: made of the modules that the bundler put there.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'THIRD-PARTY-LICENSES.txt';
/** Files that a package has its licences in, also those of what it took from others. */
const TEXT = /^(?:licen[cs]e|copying|notice)(?:[.-][\w.-]+)?$/i;
const CODE = /\.(?:[cm]?[jt]s|json|map)$/i;
/** A comment that is a licence: of a file that somebody else wrote. */
const OWN_TERMS = /Permission (?:is hereby granted|to use)|Redistribution and use/;
const COMMENT = /\/\*[^]*?\*\/|(?:^\/\/.*\n)+/gm;
/** Licences that want the place of the source to be told. */
const WANTS_SOURCE = /\b[AL]?GPL|\bMPL|\bEPL|\bCDDL/;
/** Packages without a file of their licence, whose package.json names this one. */
const WITHOUT_TEXT = { 'abstract-logging': 'MIT' };

const ours = path.resolve(import.meta.dirname, '..');
/** That text is the same for everyone, but for a line. */
const mitOf = (author) =>
  readFileSync(path.join(ours, 'LICENSE'), 'utf8').replace(/^Copyright.*$/m, `Copyright (c) ${author}`);

const packageOf = (file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];

/** Files of packages by the directory of the package. */
const packagesIn = (bundle, root) => {
  const packages = new Map();
  for (const made of Object.values(bundle))
    for (const name of made.type === 'chunk' ? made.moduleIds : made.originalFileNames) {
      const file = path.resolve(root, name.replace(/^\0/, '').replace(/\?.*$/, ''));
      const directory = packageOf(file);
      if (directory !== undefined) packages.set(directory, (packages.get(directory) ?? new Set()).add(file));
    }
  return packages;
};

const filesWithTerms = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name) && !CODE.test(entry.name))
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .filter((name) => packageOf(path.join(directory, name)) === directory)
    .sort((a, b) => a.split(path.sep).length - b.split(path.sep).length || a.localeCompare(b));

const termsIn = (files) => {
  const sources = [...files].filter((file) => /\.(?:[cm]?js|css)$/.test(file));
  const comments = sources.flatMap((file) => readFileSync(file, 'utf8').match(COMMENT) ?? []);
  return [...new Set(comments.filter((comment) => OWN_TERMS.test(comment)))];
};

/** `git+https://host/a/b.git`, `github:a/b` and `a/b` as an address. */
const sourceOf = ({ repository, homepage }) =>
  (repository?.url ?? repository ?? homepage)
    ?.replace(/^git\+|\.git$/g, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1');

/** Licence entry of one package. Throws when there is no text of its licence. */
const entryOf = (directory, files) => {
  const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  const { name, version, license, author } = manifest;
  const texts = filesWithTerms(directory).map((file) => readFileSync(path.join(directory, file), 'utf8'));
  if (texts.length === 0 && license !== undefined && WITHOUT_TEXT[name] === license) texts.push(mitOf(author));
  if (texts.length === 0)
    throw new Error(
      `${name} ${version} is bundled and has no text of its licence (${license}): see scripts/licences.mjs`,
    );
  const source = sourceOf(manifest);
  const wantsSource = WANTS_SOURCE.test(license);
  if (wantsSource && source === undefined)
    throw new Error(`${name} ${version} (${license}) says no place of its source`);
  const told = wantsSource ? `\nSource: ${source}, or: npm pack ${name}@${version}` : '';
  const terms = [...texts, ...termsIn(files)].map((text) => text.replaceAll('\r', '').trim());
  return [`${name} ${version}\nLicence: ${license}${told}`, ...terms].join('\n\n');
};

const HEAD = 'Packages that are bundled here, with their licences. Nothing of them was changed but by the bundler.';
const LINE = `\n\n${'-'.repeat(80)}\n`;

/** A plugin that writes them. A build with a package that has no licence fails. */
export const licences = () => ({
  name: 'licences',
  generateBundle(_options, bundle) {
    const packages = packagesIn(bundle, this.environment.config.root);
    const entries = [...packages].map(([directory, files]) => entryOf(directory, files)).sort();
    this.emitFile({ type: 'asset', fileName: FILE, source: `${[HEAD, ...entries].join(LINE)}\n` });
  },
});
