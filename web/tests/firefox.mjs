// A whole match in Firefox, driven over WebDriver BiDi:
//   node web/tests/firefox.mjs PROGRAM ADDRESS WIDTH HEIGHT
// Says `seated` when it sits at the table, and `over` at the end; what was wrong goes to stderr.

import puppeteer from 'puppeteer-core';

const [program, address, width, height] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: 'firefox', executablePath: program, headless: true,
  defaultViewport: { width: Number(width), height: Number(height) },
});
const page = await browser.newPage();
const wrong = [];
page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
page.on('pageerror', (error) => wrong.push(String(error)));

await page.goto(address);
await page.waitForSelector('[data-screen=join] [data-field=name]');
await page.type('[data-screen=join] [data-field=name]', 'Zoë');
await page.click('[data-action-button=join]');
await page.waitForSelector('[data-screen=gathering], [data-screen=table]');
console.log('seated');

const step = () => {
  if (document.querySelector('[data-dialog=over]')) return 'over';
  const round = document.querySelector('[data-dialog=round] [data-action-button=next_round]:not([disabled])');
  if (round) return round.click();
  const taps = [...document.querySelectorAll('[data-tap]')].filter((tap) => tap.checkVisibility() && !tap.closest('[inert]'));
  const hand = taps.filter((tap) => tap.closest('.hand'));
  const among = hand.length && Math.random() < 0.8 ? hand : taps;
  among[Math.floor(Math.random() * among.length)]?.click();
  return document.documentElement.scrollWidth > innerWidth ? 'the page scrolls sideways' : '';
};
const until = Date.now() + 120_000;
let said = '';
while (said !== 'over' && Date.now() < until) {
  said = (await page.evaluate(step)) ?? '';
  if (said && said !== 'over') wrong.push(said);
  await new Promise((wake) => setTimeout(wake, 20));
}
await page.waitForSelector('[data-dialog=over] [data-deal=verified]').catch(() => wrong.push('the deal is not verified'));
await browser.close();
for (const fault of new Set(wrong)) console.error(fault);
console.log(said);
process.exit(said === 'over' && !wrong.length ? 0 : 1);
