import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

/** What both processes ask of the engine before anything else runs. docs/explanation/performance.md has what it was measured to save. */

/**
 * Work that a function does before the engine compiles it for speed, in octets of byte code; four times the engine's own 132 KiB.
 * Compiling what runs a few hundred times took as long as loading and starting a lab of a thousand nodes.
 */
const INTERRUPT_BUDGET = 540_672;

/** Node 20's engine (V8 11.3) has this flag; V8 11.8 has it no more and prints an error on stderr for a flag that it does not know. */
const [major = 0, minor = 0] = process.versions.v8.split('.').map(Number);
if (major === 11 && minor < 8) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);

/**
 * The object that `process.nextTick` makes for each call. While none is alive the collector takes away its hidden class, and code that was
 * compiled for that class makes every later one the slow way: a sixth of the time of a read.
 */
const kept: object[] = [];
process.nextTick(() => kept.push(executionAsyncResource()));
process.nextTick((_: number) => kept.push(executionAsyncResource()), 1);
// As long as the process runs.
Object.defineProperty(process, Symbol('hidden classes'), { value: kept });
