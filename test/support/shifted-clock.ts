// For `node --import`: a process whose wall clock is off by so many milliseconds.
const off = Number(process.env['TOPOLOG_TEST_CLOCK_OFF'] ?? 0);
const now = Date.now.bind(Date);
const shifted = (): number => now() + off;

globalThis.Date = new Proxy(Date, {
  apply: () => new Date(shifted()).toString(),
  construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [shifted()] : args, target) as Date,
});
Date.now = shifted;
