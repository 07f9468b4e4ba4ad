//! Two kernels on slices. `build.rs` generates them, and the declarations included here, from
//! `kernels/layer.sq`. The functions of `kernel` compare lengths with the shapes of the description
//! before they call the C code; `kernel::ffi` has that as it is.

pub mod kernel {
    include!(concat!(env!("OUT_DIR"), "/layer.rs"));
}

/// The probability of each of `bias.len()` classes for the features `x`; `weights` are rows of `x.len()`.
pub fn classify(weights: &[f32], x: &[f32], bias: &[f32]) -> Vec<f32> {
    let classes = i32::try_from(bias.len()).expect("classes");
    let features = i32::try_from(x.len()).expect("features");
    let (mut scores, mut result) = (vec![0.0; bias.len()], vec![0.0; bias.len()]);
    kernel::dense(classes, features, weights, x, bias, &mut scores);
    kernel::softmax(classes, &scores, &mut result);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(weights: &[f32], x: &[f32], bias: &[f32]) -> Vec<f32> {
        let scores: Vec<f32> = (weights.chunks(x.len()).zip(bias))
            .map(|(row, b)| (row.iter().zip(x).map(|(w, x)| w * x).sum::<f32>() + b).max(0.0))
            .collect();
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = scores.iter().map(|s| (s - most).exp()).sum();
        scores.iter().map(|s| (s - most).exp() / total).collect()
    }

    #[test]
    fn as_loops() {
        for (classes, features) in [(1, 1), (10, 37), (33, 128), (100, 65)] {
            let weights: Vec<f32> = (0..classes * features)
                .map(|i| (i % 13) as f32 / 8.0 - 0.75)
                .collect();
            let x: Vec<f32> = (0..features).map(|i| (i % 7) as f32 / 4.0 - 0.75).collect();
            let bias: Vec<f32> = (0..classes).map(|i| (i % 3) as f32).collect();
            let (found, expected) = (classify(&weights, &x, &bias), plain(&weights, &x, &bias));
            for (a, b) in found.iter().zip(&expected) {
                assert!(
                    (a - b).abs() < 1e-5,
                    "{a} is not {b} of {classes} x {features}"
                );
            }
            assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    #[should_panic(expected = "dense: elements of W")]
    fn other_shape() {
        classify(&[1.0; 5], &[1.0; 2], &[0.0; 3]);
    }
}
