import { invalid } from '../errors.ts';
import type { Fact } from '../events/fact.ts';
import { upcast } from '../events/upcasters.ts';
import { COMMON, dataDirOf, openSource, parse } from './source.ts';
import { layOut, type Names, timelineRow } from './timeline.ts';

const HELP = `topolog log PROJECT [--json] [--data-dir DIR]

Prints every fact of a project, oldest first: position, time, who, what, of what, details, and the position of the fact that
caused it. PROJECT is an id or a name. --json prints the stored facts, one a line. Works with and without a running server.
`;

/** `topolog log` */
export const logCommand = async (args: string[]): Promise<number> => {
  const options = { ...COMMON, json: { type: 'boolean' } } as const;
  const { values, positionals } = parse({ args, options, allowPositionals: true });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const [wanted] = positionals;
  if (wanted === undefined) throw invalid('topolog log needs a project: its id or name');
  const source = await openSource(dataDirOf(values['data-dir']));
  try {
    const id = await source.projectId(wanted);
    const names: Names = new Map();
    let from = 1;
    for (let texts = await source.page(id, { from }); texts.length > 0; texts = await source.page(id, { from })) {
      const facts = texts.map((text) => upcast(JSON.parse(text) as Fact));
      const rows = facts.map((fact) => timelineRow(names, fact));
      process.stdout.write(`${(values.json === true ? texts : layOut(rows)).join('\n')}\n`);
      from = (facts.at(-1)?.position ?? from) + 1;
    }
    return 0;
  } finally {
    await source.close();
  }
};
