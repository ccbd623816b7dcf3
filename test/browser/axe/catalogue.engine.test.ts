import { describe } from 'node:test';
import { noBrowser } from '../browser.ts';
import { createLooks } from '../look.ts';
import { createStage } from '../stage.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
const APPLIANCE = {
  ...{ name: 'Small router', category: 'router', registry_version: 4, vendor_name: 'Somebody', status: 'stable' },
  ...{ description: 'It routes.', product_url: 'https://a.example/', maintainer: 'x' },
  qemu: { arch: 'x86_64', ram: 64, adapters: 2, console_type: 'telnet', kvm: 'allow', hda_disk_interface: 'ide' },
  images: [
    {
      ...{ filename: 'router-1.img', version: '1', md5sum: 'd41d8cd98f00b204e9800998ecf8427e', filesize: 10 },
      download_url: 'https://a.example/download',
    },
  ],
  versions: [{ name: '1', images: { hda_disk_image: 'router-1.img' } }],
};

describe('the views of the catalogue, at every size, light and dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe-catalogue');
  const { step } = stage;
  const { see, end } = createLooks(stage);
  const upload = async (where: string, body: string): Promise<void> => {
    const answer = await fetch(`${stage.server.url}${where}`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
  };

  step('without anything, and with images', async (page) => {
    await page.goto(`${stage.server.url}/#/catalogue/images`);
    await page.getByText('No images yet').waitFor();
    await see('no images');
    await upload('/v2/compute/qemu/images/a-disk-with-a-long-name-15.7.3-M3.qcow2', 'a disk');
    const lab = await stage.lab('used');
    await stage.send('POST', `${lab}/nodes`, {
      ...{ name: 'VM1', node_type: 'qemu', compute_id: 'local', x: 0, y: 0 },
      properties: { hda_disk_image: 'a-disk-with-a-long-name-15.7.3-M3.qcow2' },
    });
    await page.reload();
    await page.getByRole('row').getByText('1 use').click();
    await see('images');
  });

  step('with symbols', async (page) => {
    await page.goto(`${stage.server.url}/#/catalogue/symbols`);
    await page.getByText('No symbols of your own yet').waitFor();
    await upload('/v2/symbols/own.svg/raw', SVG);
    await page.reload();
    await page.getByText('own.svg').waitFor();
    await see('symbols');
  });

  step('with templates and their form', async (page) => {
    await page.goto(`${stage.server.url}/#/catalogue/templates`);
    const body = { name: 'Small machine', template_type: 'qemu', compute_id: 'local', ram: 64 };
    await stage.send('POST', '/v2/templates', body);
    await page.reload();
    await page.getByText('Small machine', { exact: true }).waitFor();
    await see('templates');
    await page.getByRole('button', { name: 'Change Small machine' }).click();
    await page.getByRole('dialog').locator('[data-field="ram"]').getByRole('textbox').fill('much');
    await page.keyboard.press('Tab');
    await see('the form of a template');
    await page.keyboard.press('Escape');
  });

  step('with an appliance', async (page) => {
    await page.goto(`${stage.server.url}/#/catalogue/appliances`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open appliance files' }).click();
    const buffer = Buffer.from(JSON.stringify(APPLIANCE));
    await (await chooser).setFiles([{ name: 'router.gns3a', mimeType: 'application/json', buffer }]);
    await page.getByText('1 image is missing').waitFor();
    await see('an appliance');
  });

  end();
});
