import { which } from '../../src/emulators/shared/process/find-program.ts';

/** Why a test that runs these programs is skipped here; false: all of them are installed. */
export const missing = async (...programs: string[]): Promise<string | false> => {
  for (const program of programs) if ((await which(program)) === null) return `${program} is not installed`;
  return false;
};
