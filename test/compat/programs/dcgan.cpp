// libtorch's DCGAN example, two short rounds on images it draws itself: BatchNorm, ConvTranspose2d, checkpoints.
#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

struct DCGANGeneratorImpl : torch::nn::Module {
  DCGANGeneratorImpl(int kNoiseSize)
      : conv1(torch::nn::ConvTranspose2dOptions(kNoiseSize, 64, 4).bias(false)),
        batch_norm1(64),
        conv2(torch::nn::ConvTranspose2dOptions(64, 32, 3).stride(2).padding(1).bias(false)),
        batch_norm2(32),
        conv3(torch::nn::ConvTranspose2dOptions(32, 16, 4).stride(2).padding(1).bias(false)),
        batch_norm3(16),
        conv4(torch::nn::ConvTranspose2dOptions(16, 1, 4).stride(2).padding(1).bias(false)) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("conv3", conv3);
    register_module("conv4", conv4);
    register_module("batch_norm1", batch_norm1);
    register_module("batch_norm2", batch_norm2);
    register_module("batch_norm3", batch_norm3);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(batch_norm1(conv1(x)));
    x = torch::relu(batch_norm2(conv2(x)));
    x = torch::relu(batch_norm3(conv3(x)));
    x = torch::tanh(conv4(x));
    return x;
  }

  torch::nn::ConvTranspose2d conv1;
  torch::nn::BatchNorm2d batch_norm1;
  torch::nn::ConvTranspose2d conv2;
  torch::nn::BatchNorm2d batch_norm2;
  torch::nn::ConvTranspose2d conv3;
  torch::nn::BatchNorm2d batch_norm3;
  torch::nn::ConvTranspose2d conv4;
};

TORCH_MODULE(DCGANGenerator);

torch::nn::Sequential make_discriminator() {
  return torch::nn::Sequential(
      // Layer 1
      torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 16, 4).stride(2).padding(1).bias(false)),
      torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.2)),
      // Layer 2
      torch::nn::Conv2d(torch::nn::Conv2dOptions(16, 32, 4).stride(2).padding(1).bias(false)),
      torch::nn::BatchNorm2d(32), torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.2)),
      // Layer 3
      torch::nn::Conv2d(torch::nn::Conv2dOptions(32, 64, 4).stride(2).padding(1).bias(false)),
      torch::nn::BatchNorm2d(64), torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.2)),
      // Output layer
      torch::nn::Conv2d(torch::nn::Conv2dOptions(64, 1, 3).stride(1).padding(0).bias(false)), torch::nn::Sigmoid());
}

int main() {
  torch::manual_seed(1);
  const int kNoiseSize = 32;
  const int64_t kBatchSize = 16;
  torch::Device device(torch::kCPU);

  DCGANGenerator generator(kNoiseSize);
  generator->to(device);
  torch::nn::Sequential discriminator = make_discriminator();
  discriminator->to(device);

  torch::optim::Adam generator_optimizer(generator->parameters(),
                                         torch::optim::AdamOptions(2e-4).betas(std::make_tuple(0.5, 0.5)));
  torch::optim::Adam discriminator_optimizer(discriminator->parameters(),
                                             torch::optim::AdamOptions(5e-4).betas(std::make_tuple(0.5, 0.5)));

  double first = 0, last = 0;
  for (int64_t step = 0; step < 24; ++step) {
    // Train discriminator with real images.
    discriminator->zero_grad();
    torch::Tensor real_images = torch::zeros({kBatchSize, 1, 28, 28}).sub(1);
    real_images.index_put_({torch::indexing::Slice(), 0, torch::indexing::Slice(8, 20), torch::indexing::Slice(8, 20)},
                           1.0);
    real_images = real_images + torch::randn_like(real_images) * 0.1;
    torch::Tensor real_labels = torch::empty(kBatchSize, device).uniform_(0.8, 1.0);
    torch::Tensor real_output = discriminator->forward(real_images).reshape(real_labels.sizes());
    torch::Tensor d_loss_real = torch::binary_cross_entropy(real_output, real_labels);
    d_loss_real.backward();

    // Train discriminator with fake images.
    torch::Tensor noise = torch::randn({kBatchSize, kNoiseSize, 1, 1}, device);
    torch::Tensor fake_images = generator->forward(noise);
    torch::Tensor fake_labels = torch::zeros(kBatchSize, device);
    torch::Tensor fake_output = discriminator->forward(fake_images.detach()).reshape(fake_labels.sizes());
    torch::Tensor d_loss_fake = torch::binary_cross_entropy(fake_output, fake_labels);
    d_loss_fake.backward();
    torch::Tensor d_loss = d_loss_real + d_loss_fake;
    discriminator_optimizer.step();

    // Train generator.
    generator->zero_grad();
    fake_labels.fill_(1);
    fake_output = discriminator->forward(fake_images).reshape(fake_labels.sizes());
    torch::Tensor g_loss = torch::binary_cross_entropy(fake_output, fake_labels);
    g_loss.backward();
    generator_optimizer.step();

    if (step == 0) first = d_loss.item<float>();
    last = d_loss.item<float>();
    if (step % 8 == 0) std::printf("[%2ld/24] D_loss: %.4f | G_loss: %.4f\n", step, last, g_loss.item<float>());
  }

  // Checkpoint the model and optimizer state, and read it back.
  const std::string folder =
      (std::filesystem::temp_directory_path() / "dcgan-test-").string() + std::to_string(std::rand());
  std::filesystem::create_directory(folder);
  torch::save(generator, folder + "/generator-checkpoint.pt");
  torch::save(generator_optimizer, folder + "/generator-optimizer-checkpoint.pt");
  torch::save(discriminator, folder + "/discriminator-checkpoint.pt");
  DCGANGenerator restored(kNoiseSize);
  torch::load(restored, folder + "/generator-checkpoint.pt");
  torch::optim::Adam restored_optimizer(restored->parameters(), torch::optim::AdamOptions(2e-4));
  torch::load(restored_optimizer, folder + "/generator-optimizer-checkpoint.pt");
  generator->eval();
  restored->eval();
  torch::Tensor samples = generator->forward(torch::ones({8, kNoiseSize, 1, 1}, device));
  const bool same = torch::equal(samples, restored->forward(torch::ones({8, kNoiseSize, 1, 1}, device)));
  torch::save((samples + 1.0) / 2.0, folder + "/dcgan-sample.pt");
  torch::Tensor read;
  torch::load(read, folder + "/dcgan-sample.pt");
  const bool kept = torch::equal(read, (samples + 1.0) / 2.0);
  std::filesystem::remove_all(folder);
  std::printf("discriminator loss %.4f -> %.4f\n", first, last);
  return last < first && same && kept ? 0 : 1;
}
