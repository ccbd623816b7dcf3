// The plan of a school as text.
import { shown } from '../statistics.mjs';
import { inOrder } from './model.mjs';

const limitLines = (limits) =>
  inOrder(limits).map(([what, most]) => `  ${Math.floor(most).toLocaleString('en-US').padStart(12)}  ${what}`);

export const describe = (planned) => {
  const { school, cells, computes, students_in_cell, cellLimits, computeLimits } = planned;
  const whole = (n) => n.toLocaleString('en-US');
  const kinds = school.outside === 0 ? 'embedded' : `${school.outside} of them QEMU guests or containers`;
  return [
    `${whole(school.students)} students, each with a lab of ${school.nodes} nodes, ${kinds}:`,
    `  cells: ${whole(cells)}, of ${whole(students_in_cell)} students; servers: ${whole(cells * school.servers)}; computes: ${whole(computes)}`,
    `  appends: ${shown(planned.appends_start)} /s while everybody starts, ${shown(planned.appends_work)} /s while they work`,
    `  processors: ${shown(planned.processors_start)} while everybody starts, ${shown(planned.processors_work)} while they work`,
    `  memory: ${shown(planned.memory_gib)} GiB`,
    `  feeds: ${whole(planned.listeners)} listeners, ${shown(planned.frames)} frames/s`,
    `  a year: ${shown(planned.events_a_year / 1e6)} million events, ${shown(planned.disk_a_year_gib.leveldb)} GiB in LevelDB or ${shown(planned.disk_a_year_gib.postgresql)} GiB in PostgreSQL`,
    'Students of a cell, by what limits them:',
    ...limitLines(cellLimits),
    'Embedded nodes of a compute, by what limits them:',
    ...limitLines(computeLimits.embedded),
    ...(school.outside === 0
      ? []
      : ['QEMU guests or containers of a compute, by what limits them:', ...limitLines(computeLimits.outside)]),
  ].join('\n');
};
