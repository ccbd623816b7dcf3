import { invalid } from '../../common/errors.ts';
import type { Difference } from '../../replay/compare.ts';
import type { Progress } from '../../replay/perform.ts';
import type { SessionContent } from '../../replay/read-session.ts';
import { createReplay, type ReplayOptions, type ReplayReport } from '../../replay/replay.ts';
import { createLogger } from '../logger.ts';
import { printable } from '../printable.ts';
import { command, LOG_AND_FILES, LOG_AND_FILES_HELP, parse, wrongUsage } from '../command.ts';
import { placeOf } from '../source.ts';
import { openSession } from '../verify/export-session.ts';
import { openReplayServer } from './host.ts';

const HELP = `topolog replay SESSION-FILE|PROJECT [flags]

Replays the recorded requests, in order, on a new project, compares every outcome with the recording, and prints the
differences. A session file is verified first. PROJECT is an id or a name; the id of a deleted project will do. Uses
the server that runs on the data directory, or else one of its own in a directory that goes away afterwards. A replay that takes less
time than the recording compares of checks only what each says in the end.

  --speed N            times as fast as it was recorded (1)
  --as-fast            without the recorded gaps
  --engine NAME        auto: as a start chooses (default); simulated: no node really runs
  --from N, --to N     first and last position of the log; what was before is the lab the replay begins with
  --consoles           type again what was typed at recorded consoles (what they print is not compared)
  --keep               keep the replay's project
  --json               print the report as JSON
  --data-dir DIR       where the server's data are
${LOG_AND_FILES_HELP}
Exit code 0 without differences, 1 with some, 2 for a wrong flag, or if there is no such file or project.
`;

const OPTIONS = {
  ...LOG_AND_FILES,
  speed: { type: 'string' },
  'as-fast': { type: 'boolean' },
  engine: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  consoles: { type: 'boolean' },
  keep: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** `topolog replay` */
export const replayCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [wanted, more] = positionals;
  if (wanted === undefined || more !== undefined) throw wrongUsage('replay SESSION-FILE|PROJECT');
  const options = optionsOf(values);
  const place = placeOf(values);
  const session = await openSession(wanted, place);
  if (session === null) return 1;
  const last = session.events.at(-1)?.position ?? 0;
  if (options.from !== undefined && options.from > last)
    throw invalid(`--from must be a position up to ${last}, the last one of the session, not ${options.from}`);
  const report = await replayIn(place.dataDir, session, options, values.json === true);
  process.stdout.write(values.json === true ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  return report.state === 'done' && report.differences.length === 0 ? 0 : 1;
});

type Values = ReturnType<typeof parse<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

const optionsOf = (values: Values): ReplayOptions => {
  const { speed, engine = 'auto', from, to } = values;
  const asFast = values['as-fast'] === true;
  if (asFast && speed !== undefined) throw invalid('--speed and --as-fast contradict each other');
  if (engine !== 'auto' && engine !== 'simulated') throw invalid(`--engine must be auto or simulated, not ${engine}`);
  const times = Number(speed ?? 1);
  if (!(times > 0 && times <= 10_000)) throw invalid(`--speed must be a number above 0, not ${speed ?? ''}`);
  return {
    speed: asFast ? null : times,
    engine,
    keep: values.keep === true,
    consoles: values.consoles === true,
    ...(from === undefined ? {} : { from: position('--from', from) }),
    ...(to === undefined ? {} : { to: position('--to', to) }),
  };
};

const position = (flag: string, text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalid(`${flag} takes a position of the log, not ${text}`);
  return Number(text);
};

const replayIn = async (
  dataDir: string,
  session: SessionContent,
  options: ReplayOptions,
  quiet: boolean,
): Promise<ReplayReport> => {
  const server = await openReplayServer(dataDir, options.keep, createLogger());
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const bar = createBar(process.stderr);
  try {
    const replay = createReplay(server.host, session, options);
    return await replay.run(abort.signal, (progress) => {
      if (!quiet || process.stderr.isTTY) bar.draw(progress);
    });
  } finally {
    bar.clear();
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await server.close();
  }
};

const reportText = (report: ReplayReport): string => {
  const { state, performed, steps, differences, notes, kept, name, project_id } = report;
  const count = differences.length === 0 ? 'no differences' : `${differences.length} differences`;
  return [
    ...notes.map((note) => `note: ${printable(note)}`),
    ...differences.map(differenceText),
    `${state === 'done' ? 'replayed' : 'cancelled after'} ${performed} of ${steps} steps: ${count}`,
    ...(kept ? [`kept as ${printable(name)} (${project_id})`] : []),
    '',
  ].join('\n');
};

const differenceText = ({ step, request, what, recorded, now }: Difference): string => {
  const where = step === null ? 'by itself' : `step ${step}, ${request ?? ''}`;
  return `${printable(`${where}: ${what}`)}\n  recorded: ${shown(recorded)}\n  now:      ${shown(now)}`;
};

const MOST_SHOWN = 300;
const shown = (value: unknown): string => {
  if (value === null) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text);
};

type Shown = Pick<Progress, 'step' | 'of' | 'current' | 'left_ms'>;

/** A progress bar in one line. */
interface Bar {
  draw(shown: Shown): void;
  /** Removes the bar. */
  clear(): void;
}

const WIDTH = 24;

/** `1:05` */
export const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (n: number): string => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

export const barLine = ({ step, of, current, left_ms }: Shown, columns: number): string => {
  const full = of === 0 ? WIDTH : Math.round((Math.max(0, step - 1) / of) * WIDTH);
  const bar = '#'.repeat(full).padEnd(WIDTH, '-');
  const left = left_ms === null ? '' : `  ${duration(left_ms)} left`;
  const head = `[${bar}] ${String(step).padStart(String(of).length)}/${of}${left}  `;
  return `${head}${printable(current)}`.slice(0, Math.max(20, columns - 1));
};

const UP_AND_CLEAR = '\r\u001b[2K';

/** Makes a progress bar on a terminal; elsewhere a line for each step. */
const createBar = (stream: NodeJS.WriteStream): Bar => {
  if (!stream.isTTY)
    return {
      draw: ({ step, of, current }) => void stream.write(`${step}/${of} ${printable(current)}\n`),
      clear: () => undefined,
    };
  return {
    draw: (shown) => void stream.write(`${UP_AND_CLEAR}${barLine(shown, stream.columns)}`),
    clear: () => void stream.write(UP_AND_CLEAR),
  };
};
