// Records a server's file operations under load, builds what a power cut could have left of them, and starts on it.
//   npm run faults -- states [--seed S] [--seconds N] [--states N] [--workers N] [--record-only DIR]
//   npm run faults -- states --from DIR [--point N --model ordered|strict|torn --case S]
// --forget PATTERN: as if no file with this in its path were ever synced, which shows that the suite sees it.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: text,
    seconds: text,
    states: text,
    workers: text,
    'record-only': text,
    from: text,
    point: text,
    model: text,
    case: text,
    forget: text,
    dist: text,
  },
});

const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`faults: --${name} must be a whole number, not ${values[name]}`);
  process.exit(2);
};
const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const load = (name) => import(pathToFileURL(path.join(dist, 'test/faults/states', name)).href);
const { whyNoRecorder } = await load('record.js');
const { checkStates } = await load('suite.js');
const { makeRecording } = await load('recording.js');
const { MODELS } = await load('models.js');

const RECORD_SECONDS = 10;
const PER_RECORDING = 120;
const LOOKS = 40;
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);
const reason = values.from === undefined ? whyNoRecorder() : null;
if (reason !== null) {
  console.error(`faults: ${reason}`);
  process.exit(2);
}
if (values['record-only'] !== undefined) {
  await makeRecording(path.resolve(values['record-only']), seed, whole('seconds', RECORD_SECONDS));
  process.exit(0);
}
if (values.model !== undefined && !MODELS.includes(values.model)) {
  console.error(`faults: --model must be one of ${MODELS.join(', ')}, not ${values.model}`);
  process.exit(2);
}
const only =
  values.point === undefined
    ? null
    : { point: whole('point'), model: values.model ?? 'strict', seed: whole('case', 1) };

const begun = Date.now();
console.log(`crash states, seed ${seed}`);
const summary = await checkStates({
  seed,
  seconds: whole('seconds', 3600),
  states: whole('states', 1_000_000),
  perRecording: PER_RECORDING,
  recordSeconds: RECORD_SECONDS,
  workers: whole('workers', 2),
  from: values.from === undefined ? null : path.resolve(values.from),
  only,
  forget: values.forget ?? null,
  looks: LOOKS,
  report: (line) => console.log(line),
});
const seconds = (Date.now() - begun) / 1000;
console.log(
  `${summary.states} states of ${summary.recordings} recordings in ${Math.round(seconds)} s (${Math.round((summary.states * 3600) / seconds)} an hour): ` +
    `${summary.ops} file operations, ${summary.steps} requests, ${summary.refused} starts named damage, ${summary.problems.length} states with problems`,
);
process.exit(summary.problems.length === 0 ? 0 : 1);
