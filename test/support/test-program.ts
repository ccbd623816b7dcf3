import path from 'node:path';
import { PACKAGE } from '../../src/common/package.ts';

/** The bundle of a program in test/support (a source that begins with `#!`). */
export const testProgram = (name: string): string => path.join(PACKAGE, 'dist/test-bin', `${name}.js`);
