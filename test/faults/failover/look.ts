import { request } from '../../support/server.ts';
import { compareComputes, readRecords, type Records } from '../computes/truth.ts';
import type { CellLab } from './cell-lab.ts';

/** What is so once all has settled. */
export interface Settled {
  /** Of the log, at both servers. */
  position: number;
  /** As the writer has them. */
  records: Records;
}

const LISTS = ['', '/nodes', '/links', '/drawings'];
/** Of a record: where it is at the server that answers, and what is not of the log. */
const OWN = new Set(['path', 'node_directory', 'project_directory']);

const shown = (text: string): string =>
  JSON.stringify(JSON.parse(text), (key, value: unknown) => (OWN.has(key) ? undefined : value));

/** What servers answer for a project, and at which position. */
const readAt = async (lab: CellLab, url: string, at = ''): Promise<{ position: number; texts: string[] }> => {
  let position = 0;
  const texts: string[] = [];
  for (const list of LISTS) {
    const answer = await request(url, 'GET', `${lab.project}${list}${at}`, undefined, lab.headers);
    if (answer.status !== 200)
      throw new Error(`GET ${lab.project}${list}${at} answers ${answer.status}: ${answer.text}`);
    const known = Number(answer.headers.get('x-topolog-position'));
    if (position !== 0 && position !== known) throw new Error(`the log grows from ${position} to ${known}`);
    position = known;
    texts.push(shown(answer.text));
  }
  return { position, texts };
};

/** What of all that must settle has not; or all of it. */
export const lookAt = async (lab: CellLab): Promise<Settled | string[]> => {
  const writer = await lab.writer();
  const standby = await lab.standby();
  const cells = [await lab.healthOf(writer), await lab.healthOf(standby)];
  if (cells[1] === null || cells[1]?.writer?.owner !== cells[0]?.owner)
    return [`${standby.name} stands by for ${JSON.stringify(cells[1]?.writer ?? null)}, and ${writer.name} writes`];
  const records = await readRecords(writer.url, lab.projectId, lab.headers);
  const problems = await compareComputes(records, lab.projectId, lab.computes);
  if (problems.length > 0) return problems;
  const [one, other] = [await readAt(lab, writer.url), await readAt(lab, standby.url)];
  if (one.position !== other.position) return [`${standby.name} is at ${other.position} of ${one.position}`];
  problems.push(...(await compareReads(lab, one, other)));
  return problems.length > 0 ? problems : { position: one.position, records };
};

/** Reads of both servers, and what the events up to there fold to. */
const compareReads = async (
  lab: CellLab,
  one: { position: number; texts: string[] },
  other: { texts: string[] },
): Promise<string[]> => {
  const problems: string[] = [];
  const read = [other.texts];
  for (const url of lab.urls) read.push((await readAt(lab, url, `?at=${one.position}`)).texts);
  for (const [n, texts] of read.entries())
    for (const [i, text] of texts.entries())
      if (text !== one.texts[i])
        problems.push(`read ${n} of ${LISTS[i]} is ${text}, and at the writer ${one.texts[i]}`);
  return problems;
};
