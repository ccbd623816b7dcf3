import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Client } from '../../client/index.ts';
import { invalid } from '../../common/errors.ts';
import { fingerprint, verifySignature } from '../../session/keys.ts';
import { type Done, labCommandWith } from '../lab-command.ts';
import { runningServer } from '../running-server.ts';
import { projectsOf } from '../objects.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { cannotBe, command, COMMON, dataDirOf, parse, wrongUsage } from '../command.ts';

const CHECKS = '/v2/projects/{project_id}/checks';

export const checksCommand = labCommandWith(
  { watch: { type: 'boolean' } },
  {
    usage: 'checks PROJECT [--watch]',
    counts: [1, 1],
    does: `Prints the results of a project's checks: the verdict, when it came after the start of the lab, what was found then, and what is found now if that differs. Exit code 1 if one is broken, and if there is none.

  --watch          go on, and print each verdict that changes`,
  },
  async ({ client, wanted: [wanted], flags }): Promise<Done> => {
    const project = pick('project', await projectsOf(client), wanted ?? '');
    const at = { path: { project_id: project.id } };
    const checks = await client.get(CHECKS, at);
    const rows = checks.map(rowOf);
    if (flags.watch !== true)
      return {
        records: checks,
        rows,
        none: `${project.names[0]} has no checks`,
        failed: checks.length === 0 || checks.some(({ result }) => result.verdict === 'broken'),
      };
    for (const row of rows) process.stdout.write(`${row.join('  ')}\n`);
    await watch(client, at);
    return { records: checks, rows: [] };
  },
);

type Check = Awaited<ReturnType<typeof checksOf>>[number];
const checksOf = (client: Client, project_id: string) => client.get(CHECKS, { path: { project_id } });

const rowOf = ({ title, result: { verdict, after_ms, text, last } }: Check): string[] => [
  verdict,
  title,
  after_ms === null ? '' : `${(after_ms / 1000).toFixed(2)} s`,
  last === null || last.text === text ? (text ?? '') : `${text}; now: ${last.text}`,
];

/** Prints changed verdicts until it is interrupted. */
const watch = async (client: Client, { path }: { path: { project_id: string } }): Promise<void> => {
  const known = new Map<string, string>();
  const told = ({ result }: Check): string => `${result.position ?? ''}`;
  for (const check of await checksOf(client, path.project_id)) known.set(check.check_id, told(check));
  for await (const { action } of client.feed('/v2/projects/{project_id}/notifications', { path })) {
    if (!/^(check|run)\./.test(action)) continue;
    for (const check of await checksOf(client, path.project_id)) {
      if (known.get(check.check_id) === told(check)) continue;
      known.set(check.check_id, told(check));
      process.stdout.write(`${rowOf(check).join('  ')}\n`);
    }
  }
};

const HELP = `topolog results PROJECT [COPY...] [-o FILE] [--data-dir DIR]
topolog results --verify FILE

Prints a sheet (CSV) of the stages of a lab, of its forks, and of further labs that are named: a row for each stage, with the hash of the lab's
last event, which its session has as well, and with the checks and stages of a copy that are not as in the lab.

  -o, --output FILE  write the sheet there, and its signature to FILE.signature
  --verify FILE      check the signature beside a sheet, and print which key made it; needs no server
  --data-dir DIR     where the server's data are

Exit code 1: the signature does not fit.
`;

const OPTIONS = { ...COMMON, output: { type: 'string', short: 'o' }, verify: { type: 'string' } } as const;

const signatureOf = (file: string): string => `${file}.signature`;

/** `topolog results` */
export const resultsCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  if (values.verify !== undefined) return verified(values.verify);
  const [wanted, ...copies] = positionals;
  if (wanted === undefined) throw wrongUsage('results PROJECT [COPY...]');
  const { client } = await runningServer(dataDirOf(values['data-dir']));
  const projects = await projectsOf(client);
  const [project_id = '', ...project] = [wanted, ...copies].map((name) => pick('project', projects, name).id);
  const at = { path: { project_id }, query: { project } };
  const { sheet, ...signed } = await client.get('/v2/projects/{project_id}/results', at);
  if (values.output === undefined) process.stdout.write(sheet);
  else {
    const files = { [values.output]: sheet, [signatureOf(values.output)]: `${JSON.stringify(signed)}\n` };
    for (const [file, text] of Object.entries(files)) {
      await writeFile(file, text).catch(cannotBe('written', file));
      process.stdout.write(`${printable(file)} written\n`);
    }
  }
  return 0;
});

const signed = z.object({ public_key: z.string(), signature: z.string() });

const signedIn = (text: string, file: string): z.output<typeof signed> => {
  try {
    return signed.parse(JSON.parse(text));
  } catch {
    throw invalid(`${file} is not the signature of a sheet`);
  }
};

const verified = async (file: string): Promise<number> => {
  const read = (name: string): Promise<string> => readFile(name, 'utf8').catch(cannotBe('read', name));
  const sheet = await read(file);
  const { public_key, signature } = signedIn(await read(signatureOf(file)), signatureOf(file));
  const isGood = verifySignature(public_key, sheet, signature);
  const told = isGood ? `is as it was signed by the key ${fingerprint(public_key)}` : 'is not what was signed';
  process.stdout.write(`${printable(file)} ${told}\n`);
  return isGood ? 0 : 1;
};
