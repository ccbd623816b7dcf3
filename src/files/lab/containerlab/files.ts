import { type ClabMap, type Findings, mapOf, textOf, textsOf } from './values.ts';

/** Files that nodes of a file of containerlab name: what is bound into them is copied, as it is when the lab is applied. */

/** Ends a name in `files`: all below it. */
const normal = (name: string): string => name.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '');

type Files = Readonly<Record<string, string>>;

export interface Bind {
  /** As the file names it. */
  source: string;
  path: string;
}

const bindsOf = (keys: ClabMap, name: string): Bind[] =>
  textsOf(keys['binds']).map((bind) => {
    const [source = '', path = ''] = bind.split(':');
    return { source: normal(source.replaceAll('__clabNodeName__', name)), path };
  });

/** Of a network system: a text, or a file that has it. */
const startUpFile = (keys: ClabMap, name: string): string | null => {
  const said = textOf(keys['startup-config']);
  return said === '' || said.includes('\n') ? null : normal(said.replaceAll('__clabNodeName__', name));
};

/** null: it has none. */
export const startUpOf = (keys: ClabMap, name: string, files: Files, findings: Findings): string | null => {
  const file = startUpFile(keys, name);
  if (file === null) return textOf(keys['startup-config']) || null;
  const path = ['topology', 'nodes', name, 'startup-config'];
  if (Object.hasOwn(files, file)) return files[file] ?? null;
  findings.refuse(path, `has ${file}, a file that did not come with the text; it has to be beside it`);
  return null;
};

/** Names of the start-up files that network systems want beside it. */
export const startUpFilesOf = (keys: ClabMap, name: string): string[] =>
  [startUpFile(keys, name)].filter((file) => file !== null).filter(isBeside);

/** Names of the files that it wants beside it: of its binds and of its variables. Those outside of its directory are refused, not wanted. */
export const filesOfNode = (keys: ClabMap, name: string): string[] =>
  [...bindsOf(keys, name).map(({ source }) => source), ...textsOf(keys['env-files']).map(normal)].filter(isBeside);

const isBeside = (source: string): boolean =>
  source !== '' &&
  !source.startsWith('/') &&
  !source.startsWith('~') &&
  !source.split('/').includes('..') &&
  !source.includes('__clab');

export const copiesOf = (
  keys: ClabMap,
  name: string,
  files: Files,
  findings: Findings,
): { path: string; content: string; source: string }[] => {
  const path = ['topology', 'nodes', name, 'binds'];
  return bindsOf(keys, name).flatMap((bind) => {
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

/** A file, or every file of a directory. */
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

/** `env` over what its files say. */
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
  return { ...(Object.fromEntries(fromFiles) as ClabMap), ...own };
};
