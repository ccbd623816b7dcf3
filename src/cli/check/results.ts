import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { invalid } from '../../common/errors.ts';
import { fingerprint, verifySignature } from '../../session/keys.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { cannotBe, COMMON, command, dataDirOf, parse, wrongUsage } from '../source.ts';
import { runningServer } from '../lab/running-server.ts';
import { projectsOf } from '../lab/things.ts';

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
