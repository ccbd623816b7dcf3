import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

/** Settings of the engine for both processes, made before anything else runs. docs/explanation/performance.md has what they save. */

/**
 * Octets of byte code that a function runs before the engine optimizes it; four times the engine's own 132 KiB. Optimizing functions
 * that run a few hundred times took as long as loading and starting a lab of a thousand nodes.
 */
const INTERRUPT_BUDGET = 540_672;

/** Node 20's engine (V8 11.3) has this flag; V8 11.8 removed it, and prints an error on stderr for an unknown flag. */
const [major = 0, minor = 0] = process.versions.v8.split('.').map(Number);
if (major === 11 && minor < 8) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);

/**
 * Two of the objects that `process.nextTick` makes for each call. While none is alive, the collector drops their hidden class, and
 * code that was optimized for that class makes every later one slowly: that took a sixth of the time of a read.
 */
const tickObjects: object[] = [];
process.nextTick(() => tickObjects.push(executionAsyncResource()));
process.nextTick((_: number) => tickObjects.push(executionAsyncResource()), 1);
// A property of `process` keeps them alive as long as it runs.
Object.defineProperty(process, Symbol('hidden classes'), { value: tickObjects });
