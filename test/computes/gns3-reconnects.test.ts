import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { decodeArp, encodeArp } from '../../src/fabric/codecs/arp.ts';
import { decodeEthernet, encodeEthernet, ETHERTYPE_ARP } from '../../src/fabric/codecs/ethernet.ts';
import { openConsole } from '../support/console.ts';
import { type FeedClient, listen } from '../support/feed-client.ts';
import { freePort } from '../support/free-port.ts';
import { type Bag, EVERY_KIND, type Gns3Lab, gns3Lab } from './gns3-lab.ts';

const end = ({ node_id }: Bag, port_number = 0): Bag => ({ node_id, adapter_number: 0, port_number });

/** Cuts the connection for a moment. Resolves once all was looked at: what is not ours comes last. */
const reconnect = async ({ fake }: Gns3Lab): Promise<void> => {
  const looked = fake.next('GET /projects');
  fake.dropFeed();
  await looked;
};

describe('links of every kind of node at a GNS3 server, when the connection was broken', () => {
  let lab: Gns3Lab;
  before(async () => (lab = await gns3Lab()));
  after(() => lab.close());

  for (const [kind, { properties = {}, image }] of Object.entries(EVERY_KIND))
    it(`are left as they are at a ${kind}, which gets no second NIO`, async () => {
      if (image !== undefined) lab.fake.lab.imagesOf(image[0]).set(image[1], Buffer.from('image'));
      const there = await lab.node(kind, { properties });
      const here = await lab.node('simple_pc', { compute_id: 'local' });
      const port = kind === 'frame_relay_switch' || kind === 'atm_switch' ? 1 : 0;
      if (port === 0) await lab.ask(201, 'POST', links(), { nodes: [end(here), end(there)] });
      else {
        const other = await lab.node(kind, { properties });
        await lab.ask(201, 'POST', links(), { nodes: [end(other, port), end(there, port)] });
      }
      const known = lab.fake.node(String(there['node_id']));
      assert.ok(known);
      if (!known.kind.always && known.kind.start !== 409) await lab.act(200, there, 'start');
      const { nios } = known;
      const before = new Map([...nios].map(([at, { lport, rport }]) => [at, [lport, rport]]));
      const from = lab.fake.requests.length;
      await reconnect(lab);
      assert.deepEqual(known.doubled, []);
      assert.deepEqual(new Map([...nios].map(([at, { lport, rport }]) => [at, [lport, rport]])), before);
      const asked = lab.fake.requests.slice(from).filter(({ path }) => path.endsWith('/nio'));
      assert.deepEqual(
        asked.filter(({ method }) => method !== 'PUT').map(({ method, path }) => `${method} ${path}`),
        [],
      );
    });

  const links = (): string => `/projects/${lab.project}/links`;
});

describe('a link to a switch of a GNS3 server', () => {
  let lab: Gns3Lab;
  let feed: FeedClient;
  let far: Socket;
  let [pc, sw, link]: Bag[] = [];
  beforeEach(async () => {
    lab = await gns3Lab({ firstUdpPort: await freePort() }, ['--gns3-port', '0']);
    feed = await listen(lab.here.url, `/v2/projects/${lab.project}/notifications/ws`);
    pc = await lab.node('simple_pc', { compute_id: 'local', properties: { startup_script: 'ip 10.0.0.1/24' } });
    sw = await lab.node('ethernet_switch');
    link = await lab.ask(201, 'POST', `/projects/${lab.project}/links`, { nodes: [end(pc), end(sw)] });
    await lab.act(200, pc, 'start');
    pc = await lab.read(pc);
    far = createSocket('udp4');
    const [{ lport } = {}] = [...(lab.fake.node(String(sw['node_id']))?.nios.values() ?? [])];
    far.bind(Number(lport), '127.0.0.1');
    await once(far, 'listening');
  });
  afterEach(async () => {
    far.close();
    await feed.close();
    await lab.close();
  });

  const path = (): string => `/projects/${lab.project}/links/${String(link?.['link_id'])}`;
  const unproved = async (): Promise<unknown> => (await lab.ask(200, 'GET', path()))['unproved'];
  const told =
    (is: boolean) =>
    ({ action, event }: { action: string; event: Bag }) =>
      action === 'link.updated' && 'unproved' in event === is;
  /** Says that it has 10.0.0.2, to each who asks or to nobody in particular. */
  const say = (asker: number, port: number): void => {
    const [senderMac, senderAddress, targetAddress] = [0x02_00_00_00_00_02, 0x0a_00_00_02, 0x0a_00_00_01];
    const arp = encodeArp({ operation: 'reply', senderMac, senderAddress, targetMac: asker, targetAddress });
    const frame = { destination: asker, source: senderMac, tags: [], ethertype: ETHERTYPE_ARP, payload: arp };
    far.send(encodeEthernet(frame), port, '127.0.0.1');
  };
  const rport = (): number => Number([...(lab.fake.node(String(sw?.['node_id']))?.nios.values() ?? [])][0]?.['rport']);

  it('is shown as not proved from then on, until an answer has come over it', async () => {
    assert.equal(await unproved(), undefined);
    await reconnect(lab);
    assert.match(String((await feed.next(told(true))).event['unproved']), /gns3 was cut, and no answer has come/);
    const record = await lab.ask(200, 'GET', path());
    assert.match(String(record['unproved']), /gns3 was cut/);
    await lab.ask(201, 'PUT', path(), record);
    far.on('message', (bytes: Buffer) => {
      const frame = decodeEthernet(bytes);
      if (frame?.ethertype === ETHERTYPE_ARP && decodeArp(frame.payload)?.operation === 'request')
        say(frame.source, rport());
    });
    const console = await openConsole(Number(pc?.['console']));
    await console.type('ping 10.0.0.2 -c 1', /timeout|unreachable/);
    console.close();
    await feed.next(told(false));
    assert.equal(await unproved(), undefined);
  });

  it('is not proved by frames that nobody has asked for', async () => {
    await reconnect(lab);
    await feed.next(told(true));
    const before = await passed();
    say(0xff_ff_ff_ff_ff_ff, rport());
    say(0x02_00_00_00_00_07, rport());
    while ((await passed()) < before + 2);
    assert.match(String(await unproved()), /no answer has come/);
  });

  /** Frames that came from the far end. */
  const passed = async (): Promise<number> =>
    ((await lab.ask(200, 'GET', `${path()}/traffic`))['directions'] as { frames: number }[])[1]?.frames ?? 0;

  it('is proved again once its node is here', async () => {
    await reconnect(lab);
    await feed.next(told(true));
    await lab.ask(200, 'PUT', `/projects/${lab.project}/nodes/${String(sw?.['node_id'])}`, { compute_id: 'local' });
    await feed.next(told(false));
  });

  it('is what existing clients know it as', async () => {
    await reconnect(lab);
    await feed.next(told(true));
    const answer = await fetch(`${lab.here.running.gns3Url}/v2${path()}`);
    const known = [
      ...[
        'capture_compute_id',
        'capture_file_name',
        'capture_file_path',
        'capturing',
        'filters',
        'link_id',
        'link_style',
      ],
      ...['link_type', 'nodes', 'project_id', 'suspend'],
    ];
    assert.deepEqual(Object.keys((await answer.json()) as Bag).sort(), known);
  });

  it('is suspended at this server, and left alone at the switch', async () => {
    const from = lab.fake.requests.length;
    for (const suspend of [true, false]) await lab.ask(201, 'PUT', path(), { suspend });
    assert.deepEqual(
      lab.fake.requests.slice(from).filter((request) => request.path.endsWith('/nio')),
      [],
    );
  });

  it('gives its port to no other when it is made again', async () => {
    const [other, there] = [await lab.node('simple_pc', { compute_id: 'local' }), await lab.node('simple_pc')];
    const moved = await lab.ask(201, 'POST', `/projects/${lab.project}/links`, {
      nodes: [end(there), end(sw ?? {}, 1)],
    });
    // Its other end is another one from now on.
    await lab.ask(200, 'PUT', `/projects/${lab.project}/nodes/${String(there['node_id'])}`, { compute_id: 'local' });
    await lab.ask(201, 'POST', `/projects/${lab.project}/links`, { nodes: [end(other), end(sw ?? {}, 2)] });
    const ports = [...(lab.fake.node(String(sw?.['node_id']))?.nios.values() ?? [])].map(({ lport }) => lport);
    assert.equal(new Set(ports).size, 3, `${String(moved['link_id'])}: ${ports.join()}`);
  });
});
