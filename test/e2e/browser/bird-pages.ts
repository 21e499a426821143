import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startGleaner } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** A title that would be a script, turned text and a picture, if any page took it for markup. */
export const hostileTitle = `Herons <script>document.title='taken'</script><img src=x onerror="document.title='taken'">`;

const text = 'A heron stands still in shallow water for an hour, and then takes one small fish.';

const pages: Readonly<Record<string, string>> = {
  'structure.html': `<title>Feeding herons</title><h1>Feeding herons</h1><p>${text} See <a href="kites.html">kites</a>.</p>
    <h2>Food</h2><ul><li>fish<ul><li>small ones</li></ul></li><li>frogs</li></ul>
    <h2>Table of days</h2><table><tr><th>Day</th><th>Fish</th></tr><tr><td>Monday</td><td>three herring</td></tr></table>
    <h2>Program</h2><pre><code class="language-ts">const herons = ${'"a very long line of code"; '.repeat(8)}</code></pre>
    <blockquote><p>Herons never hurry.</p></blockquote>`,
  'kites.html': `<title>Kites</title><h1>Kites</h1><p>A kite is a bird of prey and a toy. It is no heron.</p>`,
  'hostile.html': `<title>${hostileTitle.replaceAll('<', '&lt;')}</title><h1>Herons at night</h1><p>${text}
    &lt;script>document.title='taken'&lt;/script> <a href="javascript:document.title='taken'">a link about herons</a></p>`,
  'arabic.html': `<html lang="ar"><title>مالك الحزين</title><h1>مالك الحزين</h1><p>مالك الحزين heron طائر يقف ساكنا في الماء الضحل ساعة كاملة ثم يأخذ سمكة صغيرة واحدة.</p>`,
  'zh.html': `<html lang="zh"><title>苍鹭笔记</title><h1>苍鹭笔记</h1><p>苍鹭在浅水中静立一个小时，然后捕捉一条小鱼。数据库的索引如何优化也写在这里。</p>`,
};

/** A data folder with pages about birds, more than fit on one page of results. */
export async function birdData(): Promise<string> {
  const data = temporaryFolder();
  const site = join(temporaryFolder(), 'site');
  mkdirSync(site);
  for (const [name, html] of Object.entries(pages)) writeFileSync(join(site, name), html);
  for (let number = 1; number <= 12; number++)
    writeFileSync(
      join(site, `day-${number}.html`),
      `<title>Heron diary, day ${number}</title><h1>Heron diary, day ${number}</h1><p>On day ${number} the heron of pond ${number * 7} was seen ${number + 3} times near the ${number % 2 ? 'mill' : 'bridge'}.</p>`,
    );
  const args = ['import', site, '--base-url', 'https://birds.example/', '--data', data];
  const { code, stderr } = await startGleaner(args).finished;
  expect(code, stderr).toBe(0);
  return data;
}
