// Requirements of the published description of the interface, as data: each entry is held by at least one test of test/api,
// which names the entry's id in brackets at the beginning of its title. docs/reference/generated/spec-tests.md is made of both.

const DRAWING = '/v2/projects/{project_id}/drawings/{drawing_id}';
const LINK = '/v2/projects/{project_id}/links/{link_id}';
const COMPUTE = '/v2/compute/projects/{project_id}';
const PORT = 'nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}';

/** Kinds whose NIOs are in the summary. */
const NIO_KINDS = ['desktop_vm_a', 'switch_router_emulator', 'router_emulator'];

/** Method, path, what success answers, and its code followed by every other code listed. */
const ROWS = [
  ['GET', DRAWING, 'the drawing', [200, 400, 404]],
  ['PUT', DRAWING, 'the updated drawing', [201, 400]],
  ['DELETE', DRAWING, 'nothing', [204, 400]],
  ['GET', LINK, 'the link', [200, 400, 404]],
  ['PUT', LINK, 'the updated link', [201, 400]],
  ['DELETE', LINK, 'nothing', [204, 400]],
  ['POST', '/v2/projects/load', 'the opened project', [201, 403]],
  ['POST', '/v2/projects/{project_id}/nodes/start', 'nothing', [204, 400, 404]],
  ['POST', '/v2/projects/{project_id}/nodes/stop', 'nothing', [204, 400, 404]],
  ['GET', '/v2/compute/version', 'the version', [200]],
  ...['desktop_vm_a', 'desktop_vm_b'].flatMap((kind) => [
    ['GET', `${COMPUTE}/${kind}/nodes/{node_id}`, 'the node', [200, 400, 404]],
    ['PUT', `${COMPUTE}/${kind}/nodes/{node_id}`, 'the updated node', [200, 400, 404, 409]],
    ['DELETE', `${COMPUTE}/${kind}/nodes/{node_id}`, 'nothing', [204, 400, 404]],
  ]),
  ['POST', `${COMPUTE}/machine_emulator/nodes`, 'the new node', [201, 400, 409]],
  [
    'POST',
    `${COMPUTE}/trace_tool/nodes/{node_id}/start`,
    'the node (of the two answers stated, this one)',
    [200, 400, 404],
  ],
  ['POST', `${COMPUTE}/nat/nodes`, 'the new node', [201, 400, 409]],
  ['GET', `${COMPUTE}/nat/nodes/{node_id}`, 'the node', [200, 400, 404]],
  ['PUT', `${COMPUTE}/nat/nodes/{node_id}`, 'the updated node', [200, 400, 404, 409]],
  ['DELETE', `${COMPUTE}/nat/nodes/{node_id}`, 'nothing', [204, 400, 404]],
  ['POST', `${COMPUTE}/container/${PORT}/start_capture`, 'the path of the file', [200, 400, 404, 409]],
  ...NIO_KINDS.flatMap((kind) => [
    ['POST', `${COMPUTE}/${kind}/${PORT}/nio`, 'the new NIO', [201, 400, 404]],
    ['PUT', `${COMPUTE}/${kind}/${PORT}/nio`, 'the updated NIO', [201, 400, 404]],
    ['DELETE', `${COMPUTE}/${kind}/${PORT}/nio`, 'nothing', [204, 400, 404]],
  ]),
];

const MEANING = {
  400: 'the request is not valid',
  403: 'the server is not the local one',
  404: 'what the path names does not exist',
  409: 'the request contradicts what is',
};

const rowEntries = ROWS.flatMap(([method, path, success, codes]) =>
  codes.map((code, i) => ({ id: `${method} ${path} ${code}`, says: i === 0 ? success : MEANING[code] })),
);

const of = (what, texts) => texts.map(([name, says]) => ({ id: `${what} ${name}`, says }));

/** Heading → entries, in the order of the description. */
export const SECTIONS = {
  Conventions: of('convention', [
    ['kinds', 'a kind has one token, the same in paths and as node_type'],
    ['other kinds', 'cloud, the hub and the three switches are node types as well'],
    ['UUID', 'identifiers in paths and bodies are UUID strings'],
    ['digits', 'adapter_number and port_number are digits only'],
    ['X-Route', 'every answer names the template of the route that served it'],
    ['JSON', 'bodies are application/json'],
    ['204', 'a 204 has an empty body and Content-Length 0'],
  ]),
  'Fields of the records': of('fields', [
    ['drawing', 'drawing: every field with its type; an update may carry some of them'],
    ['project', 'project: every field with its type'],
    ['link', 'link: every field with its type; what is read only; what is null without a capture'],
    ['controller node', 'node of the controller group: every field with its type, for every kind'],
    ['desktop_vm_a', 'desktop VM of type A: every field with its type; none is mandatory in an update'],
    ['desktop_vm_b', 'desktop VM of type B: every field with its type; none is mandatory in an update'],
    [
      'machine_emulator input',
      'machine emulator: which fields a creation takes, which of them as null, and only name is needed',
    ],
    ['machine_emulator output', 'machine emulator: every field is in the answer, and only nine may be null'],
    ['trace_tool', 'trace tool: every field with its type'],
    ['nat', 'NAT node: every field with its type; none is mandatory'],
    ['nat port', 'port descriptor of a NAT node: its four fields with their types'],
    ['capture', 'result of a capture start'],
    ['version', 'version record'],
  ]),
  'States and transitions': of('state', [
    ['1', 'a project is opened by load on the local server: 201 and the record'],
    ['2', 'load on another server is 403 and changes nothing'],
    ['3', 'nodes/start makes all nodes of the project started: 204'],
    ['4', 'nodes/stop makes all nodes of the project stopped: 204'],
    ['5', 'a capture on a container that is not started is 409 and changes nothing'],
  ]),
  Endpoints: rowEntries,
  Rules: of('rule', [
    ['1', 'reads return the record; unknown is 404 and malformed is 400'],
    [
      '2',
      'drawing and link updates answer 201, node updates 200, both with the full record; only what is sent changes',
    ],
    ['3', 'a create or update that conflicts is 409'],
    ['4', 'container capture: its body, its answer, 409 when the node is not started'],
    ['5', 'load takes the path of a project file, on the local server only'],
    ['6', 'project-wide start and stop answer 204 without a body'],
    ['7', 'NIOs: port 0 of a desktop VM; 201 on creation and update, 204 on deletion; three kinds'],
    ['8', 'the version endpoint has no path parameters'],
    ['9', 'a trace tool start takes a destination and answers with the node record'],
    ['10', 'a trace tool start takes nothing but the destination'],
    ['11', 'bodies of NIO operations'],
    ['12', 'project-wide start and stop take an empty object'],
  ]),
  Errors: of('error', [
    ['400', 'invalid request'],
    ['403', 'not the local server'],
    ['404', 'the addressed node, drawing or link does not exist, also where the summary does not list it'],
    ['409', 'conflict, or not started'],
  ]),
  Versioning: of('versioning', [
    ['prefix', 'every path begins with /v2'],
    ['record', 'the version is a string in version, and local tells whether the server is local'],
  ]),
};
