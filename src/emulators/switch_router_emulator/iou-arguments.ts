import type { Settings } from './settings.ts';

/**
 * Arguments of an image as its own help (`-h`) tells them: `[-e adapters] [-s adapters] [-n kilobytes] [-m megabytes] [-l] <id>`.
 * An adapter has four interfaces.
 */
export const iouArguments = (settings: Settings, applicationId: number): string[] => {
  const { ethernet, serial, nvram, ram, keepalives } = settings;
  return [
    ...['-e', `${ethernet}`, '-s', `${serial}`],
    ...(nvram === null ? [] : ['-n', `${nvram}`]),
    ...(ram === null ? [] : ['-m', `${ram}`]),
    ...(keepalives ? ['-l'] : []),
    `${applicationId}`,
  ];
};
