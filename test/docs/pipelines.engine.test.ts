import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { programFile } from '../../src/common/package.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { parseJunit } from '../support/junit.ts';
import { type Podman, podmanLacks, startPodman } from '../support/podman.ts';
import { importRouterImage, routerImageLacks } from '../support/router-image.ts';
import { tempDir } from '../support/temp.ts';

const PAGE = await readFile('docs/how-to/test-a-lab.md', 'utf8');

/** A YAML block below a heading of the page; 0: the first. */
const blockOf = (heading: string, at = 0): string => {
  const below = PAGE.slice(PAGE.indexOf(`## ${heading}\n`));
  const [, body] = [...below.matchAll(/^```yaml\n([^]*?)^```$/gm)][at] ?? [];
  assert.ok(body !== undefined, `there is no YAML below ${heading}`);
  return body;
};

/** A pipeline as its service would see it: scripts in their order, and the files that it keeps. */
interface Pipeline {
  /** Each is given to a shell of its own, which ends at the first line that fails. */
  scripts: string[];
  junit: string;
  /** Names and patterns of what is kept when the lab fails. */
  kept: string[];
}

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, string>;
}

/** https://docs.github.com/actions/reference/workflow-syntax-for-github-actions; actions become what they stand for here. */
const ofGithub = (text: string): Pipeline => {
  const { jobs } = parse(text) as { jobs: Record<string, { steps: Step[] }> };
  const [job, ...others] = Object.values(jobs);
  assert.ok(job !== undefined && others.length === 0);
  const [checkout, ...steps] = job.steps;
  // The files are there before anything that needs them.
  assert.match(checkout?.uses ?? '', /^actions\/checkout@/);
  const scripts: string[] = [];
  let kept: string[] = [];
  for (const step of steps) {
    if (step.run !== undefined) scripts.push(step.run);
    else if (step.uses?.startsWith('actions/upload-artifact@') === true) {
      assert.equal(step.if, 'failure()');
      kept = (step.with?.['path'] ?? '').split('\n').filter((line) => line !== '');
    } else assert.match(step.uses ?? '', /^actions\/setup-node@/);
  }
  const [junit = ''] = kept.filter((name) => name.endsWith('.xml'));
  return { scripts, junit, kept };
};

/** https://docs.gitlab.com/ci/yaml/; all lines of a script have one shell. */
const ofGitlab = (text: string): Pipeline => {
  interface Job {
    image: string;
    script: string[];
    artifacts: { when: string; paths: string[]; reports: { junit: string } };
  }
  const [job, ...others] = Object.values(parse(text) as Record<string, Job>);
  assert.ok(job !== undefined && others.length === 0);
  assert.match(job.image, /^node:/);
  const { when, paths, reports } = job.artifacts;
  assert.equal(when, 'always');
  return { scripts: [job.script.join('\n')], junit: reports.junit, kept: [reports.junit, ...paths] };
};

/** Programs in place of those that change the machine: they take what the real ones would take on a fresh one, and nothing else. */
const STAND_INS = {
  sudo: 'exec "$@"',
  // Without its lists a fresh system finds no package.
  'apt-get': `here=$(dirname "$0"); case "$*" in update) touch "$here/lists";; 'install -y tcpdump'|'install -y busybox-static iproute2 socat') test -f "$here/lists";; *) exit 64;; esac`,
  npm: `here=$(dirname "$0"); test "$1 $2" = 'install --global' && test -f "$3" && mv "$here/installed" "$here/topolog"`,
  installed: `exec "${process.execPath}" "${programFile('cli/topolog')}" "$@"`,
};

const directories: { remove: () => Promise<void> }[] = [];
after(() => Promise.all(directories.map((dir) => dir.remove())));

/** Texts by their names in a repository. */
type Files = Readonly<Record<string, string>>;

/** A runner with a checkout of a lab. */
const runnerWith = async (files: Files): Promise<{ checkout: string; bin: string }> => {
  const dir = await tempDir();
  directories.push(dir);
  const [repository, checkout, bin] = ['repository', 'checkout', 'bin'].map((name) => path.join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(path.join(repository, 'tools'), { recursive: true });
  await mkdir(bin);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(repository, name), text);
  await writeFile(path.join(repository, 'tools', 'topolog.tgz'), 'as npm pack made it');
  await cp(repository, checkout, { recursive: true });
  for (const [name, script] of Object.entries(STAND_INS)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  return { checkout, bin };
};

interface Outcome {
  /** Exit code of the script that failed; 0: none did. */
  code: number | null;
  said: string;
  checkout: string;
}

const perform = async ({ scripts }: Pipeline, files: Files, more: NodeJS.ProcessEnv = {}): Promise<Outcome> => {
  const { checkout, bin } = await runnerWith(files);
  const env = { ...process.env, ...more, PATH: `${bin}:${process.env['PATH']}` };
  let said = '';
  for (const script of scripts) {
    const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: checkout, env });
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(shell, 'close')) as [number | null];
    if (code !== 0) return { code, said, checkout };
  }
  return { code: 0, said, checkout };
};

const lacks = (
  await Promise.all(['bash', 'tcpdump', 'python3'].map(async (name) => ((await which(name)) === null ? [name] : [])))
).flat();

describe('the examples of pipelines', { skip: lacks.length > 0 && `${lacks.join(', ')} is not installed` }, () => {
  const lab = blockOf('Say what must hold');
  const broken = lab.replace('PC2: { kind: simple_pc, address: 10.0.0.2/24 }', 'PC2: { kind: simple_pc }');
  for (const [service, read] of [
    ['In GitHub Actions', ofGithub],
    ['In GitLab', ofGitlab],
  ] as const) {
    const pipeline = (): Pipeline => read(blockOf(service));

    it(`pass where the lab is right, with the report that is named: ${service}`, async () => {
      const { code, said, checkout } = await perform(pipeline(), { 'lab.yaml': lab });
      assert.equal(code, 0, said);
      assert.deepEqual(await parseJunit(path.join(checkout, pipeline().junit)), [3, 0, []]);
    });

    it(`fail where it is wrong, and keep the report and the session: ${service}`, async () => {
      assert.notEqual(broken, lab);
      const { code, said, checkout } = await perform(pipeline(), { 'lab.yaml': broken });
      assert.equal(code, 1, said);
      const [tests, failures, messages] = await parseJunit(path.join(checkout, pipeline().junit));
      assert.deepEqual([tests, failures], [3, 1]);
      assert.match(messages.join(''), /^PC1 does not reach PC2: the node that is to answer has no address/);
      const files = await readdir(checkout);
      for (const pattern of pipeline().kept) {
        const like = new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`);
        assert.ok(
          files.some((name) => like.test(name)),
          `${pattern} is none of ${files.join(', ')}`,
        );
      }
    });
  }
});

const containersLack = (await podmanLacks()) ?? (await routerImageLacks());

describe('the pipeline of a repository of containerlab', { skip: containersLack ?? false }, () => {
  const HEADING = 'A repository of containerlab';
  const [lab, checks, pipeline] = [blockOf(HEADING), blockOf(HEADING, 1), ofGithub(blockOf(HEADING, 2))];
  let podman: Podman;
  before(async () => {
    podman = await startPodman();
    await importRouterImage(podman, ['alpine:3']);
  });
  after(() => podman.close());
  const run = (text: string): Promise<Outcome> =>
    perform(pipeline, { 'lab.clab.yml': text, 'checks.yaml': checks }, { DOCKER_HOST: `unix://${podman.socket}` });

  it('passes where the lab is right', async () => {
    const { code, said, checkout } = await run(lab);
    assert.equal(code, 0, said);
    assert.deepEqual(await parseJunit(path.join(checkout, pipeline.junit)), [2, 0, []]);
  });

  it('fails where an address is wrong, and where a command is', async () => {
    const wrong = lab.replace(
      '[ip addr add 10.0.0.2/24 dev eth1]',
      '[ip addr add 10.0.9.2/24 dev eth1, ip addr lend 1]',
    );
    const { code, said, checkout } = await run(wrong);
    assert.equal(code, 1, said);
    const [tests, failures, messages] = await parseJunit(path.join(checkout, pipeline.junit));
    assert.deepEqual([tests, failures], [3, 3]);
    assert.match(messages.join('\n'), /command ip addr lend 1: it ended with code/);
  });
});
