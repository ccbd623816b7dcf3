import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  abilitiesOf,
  MOST_MAC,
  planOf,
  vpcsArguments,
  vpcsVersion,
} from '../../../src/emulators/simple_pc/vpcs-arguments.ts';

describe('the arguments of VPCS', () => {
  it('tell a later server the plan of a running one, whatever the version', () => {
    const plan = fc.record(
      {
        mac: fc.integer({ min: 1, max: MOST_MAC }),
        script: fc.constantFrom('startup.vpc', null),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(plan, fc.boolean(), fc.boolean(), (wanted, foreground, noRelay) => {
        const argv = ['/usr/bin/vpcs', ...vpcsArguments(wanted, { foreground, noRelay })];
        assert.deepEqual(planOf(argv), wanted);
      }),
    );
  });

  it('are no plan when they are of somebody else', () => {
    assert.equal(planOf(['vpcs']), null);
    assert.equal(planOf(['vpcs', '-p', '20000', '-s', '20001', '-c', '20002', '-m', '1']), null);
    assert.equal(planOf(['vpcs', '-p', '31000', '-s', '31000', '-c', '31001', '-m', '1']), null);
    assert.equal(planOf(['node', '-p', 'x', '-s', 'x', '-c', '1', '-m', '1']), null);
  });

  it('have the options of the version only', () => {
    const plan = { mac: 7, script: 'startup.vpc' };
    const common = '-i 1 -m 7 -p 5000 -s 20000 -c 30000 -t 127.0.0.1';
    const of = (version: string): string => vpcsArguments(plan, abilitiesOf(version)).join(' ');
    assert.equal(of('0.5b2'), `${common} startup.vpc`);
    assert.equal(of('0.6.1'), `${common} -F startup.vpc`);
    assert.equal(of('0.8b'), `${common} -F -R startup.vpc`);
    assert.equal(of('0.8.3'), `${common} -F -R startup.vpc`);
  });
});

describe('the version of VPCS', () => {
  it('is read from its welcome', () => {
    assert.equal(vpcsVersion('\nWelcome to Virtual PC Simulator, version 0.5b2\nDedicated to Daling.\n'), '0.5b2');
    assert.equal(vpcsVersion('\rWelcome to Virtual PC Simulator, version 0.8.3\r\n'), '0.8.3');
  });

  it('is taken for the oldest when it does not say', () => {
    assert.equal(vpcsVersion('command not found'), null);
    assert.deepEqual(abilitiesOf(null), { foreground: false, noRelay: false });
  });
});
