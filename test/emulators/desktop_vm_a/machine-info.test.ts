import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { machineInfo, readMachineReadable, readTunnels } from '../../../src/emulators/desktop_vm_a/machine-settings.ts';
import { errorIn } from '../../../src/emulators/desktop_vm_a/vboxmanage.ts';

const LINES = [
  ...['name="router one"', 'UUID="11aabbcc-1111-4111-8111-111111111111"', 'memory=1024', 'VMState="running"'],
  ...['LogFldr="/vms/router one/Logs"', '"IDE Controller-0-0"="none"', 'natnet1="nat"', 'nic1="nat"', 'nic2="none"'],
  ...['generic3="UDPTunnel"', 'nic3="Generic"', 'generic4="VDE"', 'nic4="generic"', 'nic5="null"'],
  ...['uart1="0x03f8,4"', 'uartmode1="server,/run/topolog/serial"', 'uart2="off"'],
  ...['SnapshotName="base"', 'SnapshotUUID="x"', 'SnapshotName-1="base of \\"clones\\""', 'CurrentSnapshotName="base"'],
];

describe('what VBoxManage tells of a machine', () => {
  it('is read with adapters, serial line, snapshots and state', () => {
    assert.deepEqual(machineInfo(LINES.join('\n')), {
      uuid: '11aabbcc-1111-4111-8111-111111111111',
      name: 'router one',
      state: 'running',
      adapters: ['nat', null, null, 'generic', null],
      tunnelled: [2],
      serial: 'server,/run/topolog/serial',
      snapshots: ['base', 'base of "clones"'],
      logFolder: '/vms/router one/Logs',
    });
  });

  it('has other line ends on Windows', () => {
    assert.deepEqual(machineInfo(LINES.join('\r\n')), machineInfo(LINES.join('\n')));
  });

  it('is not what somebody has written into the description', () => {
    const text = `${LINES.join('\n')}\ndescription="my\nVMState="poweroff"\nUUID="another"\n"\n`;
    assert.deepEqual(machineInfo(text), machineInfo(LINES.join('\n')));
  });

  it('knows every state there is', () => {
    const stateOf = (state: string): string => machineInfo(`VMState="${state}"`).state;
    const states = {
      running: ['running', 'livesnapshotting', 'gurumeditation'],
      paused: ['paused'],
      saved: ['saved', 'aborted-saved'],
      off: ['poweroff', 'aborted', 'teleported'],
      busy: ['starting', 'stopping', 'saving', 'restoring', 'settingup', 'deletingsnapshot', 'something new'],
    };
    for (const [expected, words] of Object.entries(states))
      for (const word of words) assert.equal(stateOf(word), expected, word);
  });

  it('keeps every value, whatever is in it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z ][A-Za-z0-9 -]{0,10}$/), fc.string(), (key, value) => {
        fc.pre(!/[\r\n]/.test(value));
        const quoted = value.replace(/["\\]/g, '\\$&');
        assert.equal(readMachineReadable(`"${key}"="${quoted}"`).get(key), value);
      }),
    );
  });

  it('has the ports of tunnels in its readable form alone', () => {
    const head = 'MAC: 080027000000, Attachment: Generic';
    const text = [
      `NIC 1:                       ${head} 'UDPTunnel' { dest='127.0.0.1', dport='30002', sport='30001' }, Cable connected: on`,
      'NIC 2:                       MAC: 080027000001, Attachment: NAT, Cable connected: on',
      'NIC 3:                       disabled',
      `NIC 12:                      ${head} 'UDPTunnel' { sport='30005' }, Cable connected: off`,
    ].join('\n');
    assert.deepEqual(
      readTunnels(text),
      new Map([
        [0, { dest: '127.0.0.1', dport: '30002', sport: '30001' }],
        [11, { sport: '30005' }],
      ]),
    );
  });
});

describe('what VBoxManage tells of a failure', () => {
  const said = [
    "Could not find a registered machine named 'x'",
    'Details: code VBOX_E_OBJECT_NOT_FOUND (0x80bb0001), component VirtualBoxWrap, interface IVirtualBox, callee nsISupports',
    'Context: "FindMachine(Bstr(a->argv[0]).raw(), machine.asOutParam())" at line 1 of file VBoxManageInfo.cpp',
  ];

  it('is the sentence and the symbol, whatever stands before', () => {
    for (const prefix of ['VBoxManage', 'VBoxManage.exe', 'SHOWVMINFO']) {
      const { message, code } = errorIn(said.map((line) => `${prefix}: error: ${line}`).join('\n'), 'failed');
      assert.deepEqual([message, code], [said[0], 'VBOX_E_OBJECT_NOT_FOUND']);
    }
  });

  it('is all it printed where there is no such line, and something where there is nothing', () => {
    assert.equal(errorIn('Segmentation fault', 'failed').message, 'Segmentation fault');
    assert.deepEqual([errorIn('', 'failed').message, errorIn('', 'failed').code], ['failed', null]);
  });
});
