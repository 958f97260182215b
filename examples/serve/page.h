// The page that `serve` shows: a canvas of 28x28 pixels and the chances of the ten digits.
#pragma once

namespace serve {

inline constexpr const char* kPage = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Strata: which digit is it?</title>
<style>
  body { font: 16px system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
  canvas { width: 280px; height: 280px; border: 1px solid #888; touch-action: none; image-rendering: pixelated; }
  .row { display: grid; grid-template-columns: 1.5rem 1fr 4rem; gap: .5rem; align-items: center; }
  .bar { background: #4c72b0; height: .8rem; width: 0; }
</style>
<h1>Which digit is it?</h1>
<p>Draw one with the mouse or a finger. <button id="clear">Clear</button></p>
<canvas width="28" height="28"></canvas>
<div id="chances"></div>
<script>
  const canvas = document.querySelector("canvas"), paper = canvas.getContext("2d");
  const chances = document.querySelector("#chances");
  chances.innerHTML = [...Array(10).keys()].map(
      d => `<div class="row"><b>${d}</b><div class="bar"></div><span></span></div>`).join("");
  const clear = () => { paper.fillStyle = "black"; paper.fillRect(0, 0, 28, 28); };
  const draw = event => {
    if (!event.buttons) return;
    const box = canvas.getBoundingClientRect();
    paper.fillStyle = "rgba(255, 255, 255, .7)";
    paper.beginPath();
    paper.arc((event.clientX - box.left) / 10, (event.clientY - box.top) / 10, 1.3, 0, 7);
    paper.fill();
  };
  const ask = async () => {
    const bytes = paper.getImageData(0, 0, 28, 28).data;
    const pixels = [...Array(784).keys()].map(i => bytes[4 * i] / 255);
    const reply = await fetch("/predict", {method: "POST", body: JSON.stringify({pixels})});
    const values = (await reply.json()).chances;
    [...chances.children].forEach((row, d) => {
      row.children[1].style.width = `${100 * values[d]}%`;
      row.children[2].textContent = `${(100 * values[d]).toFixed(1)} %`;
    });
  };
  canvas.addEventListener("pointerdown", draw);
  canvas.addEventListener("pointermove", draw);
  canvas.addEventListener("pointerup", ask);
  document.querySelector("#clear").addEventListener("click", clear);
  clear();
</script>
</html>
)html";

}  // namespace serve
