import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What Python's parser finds in a file: tests, failures, errors, and the message of each failure. */
const PARSE = `
import json, sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find('testsuite')
cases = suite.findall('testcase')
assert len(cases) == int(suite.get('tests'))
assert all(float(case.get('time')) >= 0 and case.get('classname') for case in cases)
print(json.dumps([len(cases), int(suite.get('failures')), [case.find('failure').get('message') for case in cases if case.find('failure') is not None]]))
`;

/** Tests, failures, and the message of each. */
export const parseJunit = async (file: string): Promise<[number, number, string[]]> => {
  const { stdout } = await promisify(execFile)('python3', ['-c', PARSE, file]);
  return JSON.parse(stdout) as [number, number, string[]];
};
