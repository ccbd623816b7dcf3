/** What a kind can be told by a flag when the server starts. */
interface KindOption {
  flag: string;
  /** What stands for its value in the help. */
  value: string;
  /** A value as it is written. */
  form: string;
  help: string;
}

/** What kinds were told when the server was started, by flag. */
export type KindOptions = Readonly<Record<string, string>>;

/** Where the container service is; without it, at `DOCKER_HOST` or one of the usual places. */
export const CONTAINER_SERVICE: KindOption = {
  flag: 'docker-host',
  value: 'URL',
  form: 'unix:///path',
  help: 'container service, unix:///path ($DOCKER_HOST, then where Docker and Podman listen)',
};

/** What kinds can be told by flags when the server starts. Apart from the kinds, as every command reads flags. */
export const KIND_OPTIONS: readonly KindOption[] = [CONTAINER_SERVICE];

/** As `parseArgs` takes them. */
export const KIND_FLAGS = Object.fromEntries(KIND_OPTIONS.map(({ flag }) => [flag, { type: 'string' as const }]));

/** Those that were given among all flags. */
export const kindOptionsOf = (values: Readonly<Record<string, unknown>>): KindOptions =>
  Object.fromEntries(
    KIND_OPTIONS.flatMap(({ flag }) => {
      const value = values[flag];
      return typeof value === 'string' ? [[flag, value]] : [];
    }),
  );
