import { type ClabMap, type Findings, mapOf, textOf, textsOf } from './values.ts';

/** Files that nodes of a containerlab topology name. Bound files are copied when the lab is applied. */

/** Removes `./` at the beginning and slashes at the end. */
const normal = (name: string): string => name.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '');

type Files = Readonly<Record<string, string>>;

export interface Bind {
  /** Path as the topology names it. */
  source: string;
  path: string;
}

const bindsOf = (keys: ClabMap): Bind[] =>
  textsOf(keys['binds']).map((bind) => {
    const [source = '', path = ''] = bind.split(':');
    return { source: normal(source), path };
  });

/** Name of the start-up file of a network system; null: none, or the text itself is given. */
const startUpFile = (keys: ClabMap): string | null => {
  const said = textOf(keys['startup-config']);
  return said === '' || said.includes('\n') ? null : normal(said);
};

/** Start-up text; null: none. */
export const startUpOf = (keys: ClabMap, name: string, files: Files, findings: Findings): string | null => {
  const file = startUpFile(keys);
  if (file === null) return textOf(keys['startup-config']) || null;
  const path = ['topology', 'nodes', name, 'startup-config'];
  if (Object.hasOwn(files, file)) return files[file] ?? null;
  findings.refuse(path, `has ${file}, a file that did not come with the text; it has to be beside it`);
  return null;
};

/** Start-up files that network systems need beside the topology. */
export const startUpFilesOf = (keys: ClabMap): string[] =>
  [startUpFile(keys)].filter((file) => file !== null).filter(isBeside);

/**
 * Files that a node needs beside the topology, from its binds and environment. Those outside of its directory are
 * refused elsewhere.
 */
export const filesOfNode = (keys: ClabMap): string[] =>
  [...bindsOf(keys).map(({ source }) => source), ...textsOf(keys['env-files']).map(normal)].filter(isBeside);

const isBeside = (source: string): boolean =>
  source !== '' && !source.startsWith('/') && !source.startsWith('~') && !source.split('/').includes('..');

export const copiesOf = (
  keys: ClabMap,
  name: string,
  files: Files,
  findings: Findings,
): { path: string; content: string; source: string }[] => {
  const path = ['topology', 'nodes', name, 'binds'];
  return bindsOf(keys).flatMap((bind) => {
    if (!isBeside(bind.source) || !bind.path.startsWith('/')) {
      findings.refuse(
        path,
        `has ${bind.source}:${bind.path}; only files beside the lab's text can be copied into a node`,
      );
      return [];
    }
    const found = below(files, bind);
    findings.grow(Object.keys(files).length + found.reduce((sum, { content }) => sum + content.length, 0));
    if (found.length === 0) findings.refuse(path, `has ${bind.source}, a file that did not come with the text`);
    else
      findings.noteOf(name, `${bind.source} is copied to ${bind.path}; what the node writes there does not come back`);
    return found;
  });
};

/** Copies of a file, or of every file of a directory. */
const below = (files: Files, { source, path }: Bind): { path: string; content: string; source: string }[] => {
  const content = Object.hasOwn(files, source) ? files[source] : undefined;
  if (content !== undefined) return [{ path, content, source }];
  return Object.keys(files)
    .filter((name) => name.startsWith(`${source}/`))
    .map((name) => ({
      path: `${path.replace(/\/$/, '')}${name.slice(source.length)}`,
      content: files[name] ?? '',
      source: name,
    }));
};

/** Variables from files, overridden by `env`. */
export const environmentOf = (keys: ClabMap, name: string, files: Files, findings: Findings): ClabMap => {
  const fromFiles = textsOf(keys['env-files'])
    .map(normal)
    .flatMap((source) => {
      if (!Object.hasOwn(files, source))
        findings.refuse(
          ['topology', 'nodes', name, 'env-files'],
          `has ${source}, a file that did not come with the text`,
        );
      const text = files[source] ?? '';
      findings.grow(text.length);
      return text.split('\n').map((line) => line.trim());
    })
    .filter((line) => line.includes('=') && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]);
  const own = mapOf(keys['env']);
  if (textOf(own['__IMPORT_ENVS']) !== '')
    findings.refuse(
      ['topology', 'nodes', name, 'env', '__IMPORT_ENVS'],
      'is not possible here: no variables of the server are given to nodes',
    );
  for (const [variable, value] of Object.entries(own))
    if (/[\r\n]/.test(textOf(value)))
      findings.refuse(
        ['topology', 'nodes', name, 'env', variable],
        'has several lines, and variables are one line each; give it as a file (binds)',
      );
  return { ...(Object.fromEntries(fromFiles) as ClabMap), ...own };
};
