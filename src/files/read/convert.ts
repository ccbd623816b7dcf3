import { type Bag, isBag, without } from '../fields/json.ts';

/** Revision that is written: that of GNS3 2.2. */
export const REVISION = 9;
/** Newest revision that is read, that of GNS3 3: the same form with more keys. A file of it keeps its revision. */
export const NEWEST = 10;
/** Oldest revision with today's form; older ones are converted by old/project.ts. */
export const FORM_OF_TODAY = 5;

type Step = (project: Bag) => Bag;

/** Converts step by step to the current revision; the last step also cleans up files of the current one. Pure. */
export const convertProject = (project: Bag, revision: number): Bag => {
  const steps = STEPS.slice(Math.min(revision, REVISION) - FORM_OF_TODAY);
  return { ...steps.reduce((at, step) => step(at), project), revision: REVISION };
};

/** Version 2.0 before its fourth alpha: serial consoles, and a switch for remote consoles. */
const from5: Step = (project) =>
  eachNode(project, (node) => ({
    ...node,
    ...(node.console_type === 'serial' ? { console_type: 'telnet' } : {}),
    ...withoutProperties(node, ['enable_remote_console']),
  }));

/** Version 2.0 before its third beta: only files on disk moved; see old/node-files.ts. */
const from6: Step = (project) => project;

/** Version 2.0: start-up texts were named in the properties; they are files of the node's directory now. */
const from7: Step = (project) => eachNode(project, (node) => ({ ...node, ...withoutProperties(node, TEXTS) }));

const TEXTS = [
  'startup_script',
  'startup_script_path',
  'startup_config',
  'startup_config_content',
  'private_config',
  'private_config_content',
];

/** Version 2.1: two flags became one choice, and drawings had no grid of their own. */
const from8: Step = (project) => {
  const grid = project.drawing_grid_size ?? project.grid_size;
  const saved = eachNode(project, (node) => (isBag(node.properties) ? savedStates(node, node.properties) : node));
  return grid === undefined ? saved : { ...saved, drawing_grid_size: grid };
};

const savedStates = (node: Bag, properties: Bag): Bag => {
  const choice = properties.save_vm_state === true ? { on_close: 'save_vm_state' } : {};
  return { ...node, properties: { ...choice, ...without(properties, ['save_vm_state']) } };
};

/** Version 2.2, with remains of its development versions. */
const from9: Step = (project) => {
  const tidy = eachNode(project, (node) => onClose(consoleType(templateId(node))));
  if (!Array.isArray(tidy.variables)) return tidy;
  return { ...tidy, variables: tidy.variables.filter((v) => !isBag(v) || (v.name ?? '') !== '') };
};

const STEPS: readonly Step[] = [from5, from6, from7, from8, from9];

const templateId = (node: Bag): Bag => {
  if (!('appliance_id' in node)) return node;
  return { template_id: node.appliance_id, ...without(node, ['appliance_id']) };
};

const consoleType = (node: Bag): Bag => (node.console_type === null ? { ...node, console_type: 'none' } : node);

/**
 * Converts `acpi_shutdown` by its meaning: it asks the guest to shut down. Existing tools' own converter saves its
 * state instead.
 */
const onClose = (node: Bag): Bag => {
  if (!isBag(node.properties)) return node;
  const { acpi_shutdown, on_close } = node.properties;
  const known = typeof on_close === 'string';
  if (acpi_shutdown === undefined || (!known && typeof acpi_shutdown !== 'boolean')) return node;
  const choice = known ? on_close : acpi_shutdown === true ? 'shutdown_signal' : 'power_off';
  return { ...node, properties: { ...without(node.properties, ['acpi_shutdown']), on_close: choice } };
};

const withoutProperties = (node: Bag, keys: readonly string[]): Bag =>
  isBag(node.properties) ? { properties: without(node.properties, keys) } : {};

/** Leaves anything but objects to the reader. */
const eachNode = (project: Bag, change: (node: Bag) => Bag): Bag => {
  const { topology } = project;
  if (!isBag(topology) || !Array.isArray(topology.nodes)) return project;
  const nodes = topology.nodes.map((node: unknown) => (isBag(node) ? change(node) : node));
  return { ...project, topology: { ...topology, nodes } };
};
