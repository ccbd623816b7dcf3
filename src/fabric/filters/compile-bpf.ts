import { execFile } from 'node:child_process';
import { engineFailed, invalid, messageOf, TopologError } from '../../common/errors.ts';
import { LINK_TYPES, pcapHeader } from '../capture/pcap.ts';
import type { Instruction } from './bpf.ts';

/** Compiled programs by expression. */
const cache = new Map<string, Promise<Instruction[]>>();
const MOST_CACHED = 1000;

const TOO_LONG = 4096;
/** Includes looking up host names in the expression. */
const PATIENCE_MS = 5000;

/**
 * The program of a pcap filter expression (pcap-filter(7)), made by the installed tcpdump. Runs in the server, needs neither
 * privileges nor a network device: tcpdump is given an empty capture file that says the link type.
 */
export function compileBpf(expression: string): Promise<Instruction[]> {
  const text = expression.trim();
  const known = cache.get(text);
  if (known !== undefined) return known;
  const compiled = compile(text);
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(text, compiled);
  // A failure is not cached: tcpdump may get installed, a name may resolve later.
  compiled.catch(() => cache.delete(text));
  return compiled;
}

const wrong = (reason: string): TopologError => invalid(reason, { field: 'filters.bpf' });

async function compile(text: string): Promise<Instruction[]> {
  if (text === '') throw wrong('filter bpf needs an expression, for example "icmp"');
  if (text.length > TOO_LONG) throw wrong(`filter bpf takes expressions of up to ${TOO_LONG} characters`);
  if (/[\u0000-\u001f\u007f]/.test(text)) throw wrong('filter bpf takes no control characters in an expression');
  return parseProgram(await tcpdump(text));
}

/** `-ddd`: the number of instructions, then one a line, as decimal numbers. */
function parseProgram(output: string): Instruction[] {
  const [count, ...lines] = output.trim().split(/\r?\n/);
  const instructions = lines.map((line) => line.trim().split(/\s+/).map(Number));
  if (Number(count) !== instructions.length || !instructions.every(isInstruction))
    throw engineFailed('tcpdump', 'it answered no BPF program');
  return instructions.filter(isInstruction);
}

const isInstruction = (numbers: number[]): numbers is Instruction =>
  numbers.length === 4 && numbers.every(Number.isInteger);

function tcpdump(expression: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'tcpdump',
      ['-ddd', '-r', '-', '--', expression],
      { timeout: PATIENCE_MS, env: { ...process.env, LC_ALL: 'C', PATH: searchPath() } },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(failure(error, stderr, expression));
      },
    );
    // tcpdump may have ended without reading.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(pcapHeader(LINK_TYPES.DLT_EN10MB));
  });
}

/** Some distributions keep tcpdump where only root looks. */
const searchPath = (): string => `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin:/sbin`;

function failure(
  error: Error & { code?: unknown; killed?: boolean },
  stderr: string,
  expression: string,
): TopologError {
  if (error.code === 'ENOENT' || error.code === 'EACCES')
    return new TopologError('engine_missing', {
      what: 'The filter bpf',
      needs: 'tcpdump',
      install: 'apt-get install tcpdump',
    });
  if (error.killed === true)
    return wrong(`filter bpf "${expression}": tcpdump did not answer within ${PATIENCE_MS / 1000} s`);
  const said = stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('reading from file'))
    .map((line) => line.replace(/^tcpdump: /, '').trim())
    .join('; ');
  return wrong(`filter bpf "${expression}": ${said === '' ? messageOf(error) : said}`);
}
