import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programFile } from '../../../src/common/package.ts';
import { request } from '../../support/server.ts';
import { ask, type Client, type Desk, routeOf, someBytes, someText, upload } from './desk.ts';
import { accountsFile } from './observe.ts';
import { projectClient } from './project-client.ts';

export const TOPOLOG = programFile('cli/topolog');

/** Each has parts of its own, so that what a part must be is known. */
export const clientsOf = (desk: Desk): Client[] => {
  const known = [...desk.shown].filter(([part, value]) => part.startsWith('project/') && value !== 'null');
  const projects = [0, 1].map((n) => known[n]?.[0] ?? `project/${desk.random.uuid()}`);
  return [...projects.map((part) => projectClient(desk, part)), transfers(desk), things(desk), accounts(desk)];
};

const MOST_MADE = 2;

/** Projects that come whole and go whole. */
const transfers = (desk: Desk): Client => {
  const made: string[] = [];
  return async () => {
    const source = [...desk.shown].find(([part, value]) => part.startsWith('project/') && value !== 'null')?.[0];
    if (source === undefined) return sleep(50);
    const turn = desk.random.below(3);
    const gone = turn === 0 || made.length > MOST_MADE ? made.shift() : undefined;
    if (gone !== undefined) return desk.step(gone, 'delete', () => ask(desk, 'DELETE', routeOf(gone)));
    const part = turn === 1 ? await duplicate(desk, source) : await transfer(desk, source);
    if (part !== null) made.push(part);
  };
};

/** Its id is known by the answer only. */
const duplicate = (desk: Desk, source: string): Promise<string | null> =>
  desk.stepOfUnknown('duplicate', async () => {
    const { body } = await request(desk.url, 'POST', `${routeOf(source)}/duplicate`, { name: 'copy' });
    const id = (body as { project_id?: string } | null)?.project_id;
    return id === undefined ? null : `project/${id}`;
  });

const transfer = async (desk: Desk, source: string): Promise<string | null> => {
  const archive = await fetch(`${desk.url}${routeOf(source)}/export?include_snapshots=yes`)
    .then(async (answer) => Buffer.from(await answer.arrayBuffer()))
    .catch(() => null);
  if (archive === null) return null;
  const part = `project/${desk.random.uuid()}`;
  await desk.step(part, 'import', () => upload(desk.url, `${routeOf(part)}/import`, archive));
  return part;
};

/** What belongs to no project. */
const things = (desk: Desk): Client => {
  const { random } = desk;
  const svg = (): Buffer => Buffer.from(`<svg width="9" height="9"><!--${someText(random)}--></svg>`);
  const template = (): object => ({
    name: `t${random.below(1000)}`,
    template_type: 'simple_pc',
    compute_id: 'local',
  });
  const license = (): object => ({ iourc_content: `[license]\nhost${random.below(1000)} = 0123456789abcdef;\n` });
  return async () => {
    const name = random.pick(['a', 'b']) ?? '';
    switch (random.below(4)) {
      case 0: {
        const where = `/v2/compute/machine_emulator/images/${name}.img`;
        return desk.step('images', 'image', () => upload(desk.url, where, someBytes(random)));
      }
      case 1:
        return desk.step('symbols', 'symbol', () => upload(desk.url, `/v2/symbols/${name}.svg/raw`, svg()));
      case 2:
        return desk.step('templates', 'template', () => ask(desk, 'POST', '/v2/templates', template()));
      default:
        return desk.step('license', 'licence', () => ask(desk, 'PUT', '/v2/iou_license', license()));
    }
  };
};

/** Users are changed on the command line, beside the server. */
const accounts = (desk: Desk): Client => {
  const program = async (args: string[]): Promise<void> => {
    const running = promisify(execFile)(
      process.execPath,
      [TOPOLOG, 'user', ...args, '--users', accountsFile(desk.root)],
      { env: { ...process.env, ...desk.env } },
    );
    running.child.stdin?.end('secret\n');
    await running.catch(() => undefined);
  };
  return async () => {
    const name = desk.random.pick(['ada', 'bob', 'eve']) ?? '';
    const action = desk.random.pick(['add', 'remove']) ?? '';
    return desk.step('accounts', `${action} ${name}`, () => program([action, name]));
  };
};
